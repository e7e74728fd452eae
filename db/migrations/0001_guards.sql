-- Guards that no constraint can say. Each reports itself as a check violation with a constraint's name, so that
-- callers tell them apart as they do the others. Rows are never deleted from what is append-only, whoever asks.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: its rows are append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
END
$$;
--> statement-breakpoint

CREATE TRIGGER qualifications_append_only BEFORE UPDATE OR DELETE ON qualifications
  FOR EACH ROW EXECUTE FUNCTION refuse_change('qualifications_append_only');
--> statement-breakpoint
CREATE TRIGGER qualifications_no_truncate BEFORE TRUNCATE ON qualifications
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('qualifications_append_only');
--> statement-breakpoint

CREATE TRIGGER receipts_no_delete BEFORE DELETE ON receipts
  FOR EACH ROW EXECUTE FUNCTION refuse_change('receipts_append_only');
--> statement-breakpoint
CREATE TRIGGER receipts_no_truncate BEFORE TRUNCATE ON receipts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('receipts_append_only');
--> statement-breakpoint

-- A receipt's identity is never changed; its close-out goes from nothing to whole once (receipts_close_out_whole).
CREATE FUNCTION refuse_receipt_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.closed_out_at IS NOT NULL
    OR (NEW.id, NEW.item, NEW.pull_request, NEW.head_branch, NEW.target, NEW.head, NEW.merge_commit, NEW.merged_at,
        NEW.recorded_at)
      IS DISTINCT FROM
       (OLD.id, OLD.item, OLD.pull_request, OLD.head_branch, OLD.target, OLD.head, OLD.merge_commit, OLD.merged_at,
        OLD.recorded_at)
  THEN
    RAISE EXCEPTION 'the receipt of % by pull request % is append-only', OLD.item, OLD.pull_request
      USING ERRCODE = 'check_violation', CONSTRAINT = 'receipts_append_only', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER receipts_append_only BEFORE UPDATE ON receipts
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION refuse_receipt_change();
--> statement-breakpoint

-- A landing's version never goes back, whoever writes it (A4.8).
CREATE FUNCTION refuse_older_landing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the landing of % is at version %, not to be replaced by %', OLD.item, OLD.version, NEW.version
    USING ERRCODE = 'check_violation', CONSTRAINT = 'landings_version_forward', TABLE = TG_TABLE_NAME;
END
$$;
--> statement-breakpoint
CREATE TRIGGER landings_version_forward BEFORE UPDATE ON landings
  FOR EACH ROW WHEN (NEW.version < OLD.version) EXECUTE FUNCTION refuse_older_landing();
--> statement-breakpoint

-- No item waits for itself by way of others (A3.2). Declarations take turns, so that two of them, each harmless
-- alone, cannot close a circle together; the lock ends with the transaction.
CREATE FUNCTION refuse_cycle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('yoke.item_dependencies', 0));
  IF EXISTS (
    WITH RECURSIVE before(item) AS (
      SELECT NEW.depends_on
      UNION
      SELECT edge.depends_on FROM item_dependencies edge JOIN before ON edge.item = before.item
    )
    SELECT 1 FROM before WHERE item = NEW.item AND NEW.item <> NEW.depends_on
  ) THEN
    RAISE EXCEPTION '% already waits for %', NEW.depends_on, NEW.item
      USING ERRCODE = 'check_violation', CONSTRAINT = 'item_dependencies_acyclic', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER item_dependencies_acyclic BEFORE INSERT OR UPDATE ON item_dependencies
  FOR EACH ROW EXECUTE FUNCTION refuse_cycle();
