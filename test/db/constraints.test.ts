/** Each named constraint refuses what it is there for, and lets its twin pass. */
import { describe, expect, it, vi } from "vitest";
import { inTransaction, violated, type Executor } from "../../db/client.js";
import {
  addDependency,
  addItem,
  listDependencies,
  listItems,
  listPredecessors,
} from "../../db/items.js";
import { listLanes, markLaneRemoved, registerLane, type NewLane } from "../../db/lanes.js";
import { saveLanding } from "../../db/landings.js";
import { addProject } from "../../db/projects.js";
import { listQualifications, recordQualification } from "../../db/qualifications.js";
import { reserve } from "../../db/reservations.js";
import { enrichReceipt, recordReceipt } from "../../db/receipts.js";
import { endSession, findSteeringSeat } from "../../db/sessions.js";
import { query, withDatabase } from "./cluster.js";
import {
  after,
  noon,
  noticeOf,
  sampleItem,
  sampleProject,
  sampleSession,
  sha,
  stampOf,
  stateOf,
} from "./sample.js";
import { recordNotice } from "../../db/notices.js";

const on = withDatabase();

async function broken(run: Promise<unknown>): Promise<string | null> {
  return run.then(
    () => "nothing was refused",
    (error: unknown) => violated(error) ?? String(error),
  );
}

/** What SQL that goes past the repositories breaks. */
const brokenBy = (sql: string, ...values: unknown[]): Promise<string | null> =>
  broken(query(on.url, sql, values));

async function qualified(db: Executor, verdict: "passed" | "failed" = "passed") {
  const item = await sampleItem(db);
  return recordQualification(db, {
    id: `q-${item.key}`,
    item: item.key,
    commit: sha("a"),
    tree: sha("b"),
    requirementDigest: "digest-1",
    verdict,
    evidence: "42 tests passed",
    recordedBy: "person",
    at: noon,
  });
}

describe("known words", () => {
  it("items_status_known", async () => {
    const { key } = await sampleItem(on.db);
    const set = "update items set status = $1 where key = $2";
    expect(await brokenBy(set, "merged", key)).toBe("items_status_known");
    await query(on.url, set, ["landing", key]);
  });

  it("lanes_state_known and sessions_state_known", async () => {
    expect(
      await brokenBy(
        "insert into sessions values ('s-x', 'person', '{}', 'h', null, false, 'gone', now())",
      ),
    ).toBe("sessions_state_known");
    const { id } = await sampleLane();
    expect(await brokenBy("update lanes set state = 'lost' where id = $1", id)).toBe(
      "lanes_state_known",
    );
  });

  it("qualifications_verdict_known", async () => {
    const { item } = await qualified(on.db, "failed");
    expect(
      await brokenBy(
        `insert into qualifications (id, item, commit, tree, requirement_digest, verdict, evidence, recorded_by, recorded_at)
         values ('q-x', $1, '', '', '', 'maybe', '', '', now())`,
        item,
      ),
    ).toBe("qualifications_verdict_known");
  });

  it("landings_phase_known, read out of the state", async () => {
    const item = await sampleItem(on.db);
    await saveLanding(on.db, { state: stateOf(item), version: 1, why: "armed", at: noon });
    const set = `update landings set state = jsonb_set(state, '{phase}', $1) where item = $2`;
    expect(await brokenBy(set, '"flying"', item.key)).toBe("landings_phase_known");
    expect(await brokenBy("update landings set state = '{}' where item = $1", item.key)).toBe(
      "landings_phase_known",
    );
    await query(on.url, set, ['"stopped"', item.key]);
  });

  it("notices_kind_known, notices_state_known and reservations_state_known", async () => {
    const item = await sampleItem(on.db);
    const { project } = item;
    await recordNotice(on.db, { project, item: item.key, notice: noticeOf(item), at: noon });
    await reserve(on.db, {
      key: `${item.key}:arm`,
      item: item.key,
      kind: "enqueue",
      detail: "",
      at: noon,
    });
    const where = "where item = $1";
    expect(await brokenBy(`update notices set kind = 'news' ${where}`, item.key)).toBe(
      "notices_kind_known",
    );
    expect(await brokenBy(`update notices set state = 'lost' ${where}`, item.key)).toBe(
      "notices_state_known",
    );
    expect(
      await brokenBy(
        `update reservations set state = 'spent', settled_at = now() ${where}`,
        item.key,
      ),
    ).toBe("reservations_state_known");
    expect(await brokenBy(`update reservations set state = 'completed' ${where}`, item.key)).toBe(
      "reservations_settled_when_known",
    );
  });
});

describe("projects and items", () => {
  it("projects_key_form, projects_connection_unique and projects_repository_gate_unique", async () => {
    const project = await sampleProject(on.db);
    const { createdAt: _created, refreshedAt: _read, refreshError: _error, ...given } = project;
    const add = (other: Partial<typeof given>) =>
      addProject(on.db, { ...given, key: "OTHER", connection: "other", ...other, at: noon });
    expect(await broken(add({ key: "other" }))).toBe("projects_key_form");
    expect(await broken(add({ connection: project.connection, gateBranch: "next" }))).toBe(
      "projects_connection_unique",
    );
    expect(await broken(add({}))).toBe("projects_repository_gate_unique");
    expect(await add({ gateBranch: "next" })).toMatchObject({
      key: "OTHER",
      refreshedAt: null,
      refreshError: null,
      createdAt: noon,
    });
  });

  it("case D14 items added at once get numbers without doubles or gaps, also when some adders fail", async () => {
    const project = await sampleProject(on.db);
    const adders = Array.from({ length: 40 }, (_, index) =>
      index % 4 === 0
        ? broken(
            inTransaction(on.db, async (transaction) => {
              await addItem(transaction, {
                project: project.key,
                title: "given up",
                body: "",
                at: noon,
              });
              throw new Error("given up");
            }),
          )
        : sampleItem(on.db, project),
    );
    await Promise.all(adders);
    const kept = await listItems(on.db, { project: project.key });
    expect(kept.map(({ number }) => number)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  it("items_number_unique and items_key_form", async () => {
    const { key, project } = await sampleItem(on.db);
    const insert =
      "insert into items (key, project, number, title, body, status, status_at, created_at) values ($1, $2, $3, '', '', 'open', now(), now())";
    expect(await brokenBy(insert, `${project}-9`, project, 1)).toBe("items_key_form");
    expect(await brokenBy(insert, key, project, 1)).toBe("items_pkey");
    await query(on.url, insert, [`${project}-9`, project, 9]);
  });

  it("A3.2 a dependency on itself or in a circle is refused, a chain is not", async () => {
    const project = await sampleProject(on.db);
    const [a, b, c] = [
      (await sampleItem(on.db, project)).key,
      (await sampleItem(on.db, project)).key,
      (await sampleItem(on.db, project)).key,
    ];
    const depend = (item: string, dependsOn: string) =>
      addDependency(on.db, { item, dependsOn, at: noon });
    expect(await broken(depend(a, a))).toBe("item_dependencies_not_self");
    expect(await depend(a, b)).toEqual({ added: true });
    expect(await depend(b, c)).toEqual({ added: true });
    expect(await depend(a, c)).toEqual({ added: true });
    expect(await depend(a, b)).toEqual({ added: false });
    expect(await broken(depend(c, a))).toBe("item_dependencies_acyclic");
    expect(await listDependencies(on.db, { project: project.key })).toEqual([
      { item: a, dependsOn: b },
      { item: a, dependsOn: c },
      { item: b, dependsOn: c },
    ]);
    expect(await listPredecessors(on.db, { item: a })).toEqual([
      { item: b, title: "Widgets turn", status: "open" },
      { item: c, title: "Widgets turn", status: "open" },
    ]);
  });

  it("A3.2 of two declarations at once that close a circle together the second is refused", async () => {
    const project = await sampleProject(on.db);
    const a = (await sampleItem(on.db, project)).key;
    const b = (await sampleItem(on.db, project)).key;
    let second: Promise<string | null> | undefined;
    await inTransaction(on.db, async (transaction) => {
      await addDependency(transaction, { item: a, dependsOn: b, at: noon });
      second = broken(addDependency(on.db, { item: b, dependsOn: a, at: noon }));
      await vi.waitFor(
        async () => {
          const waiting = "select from pg_locks where locktype = 'advisory' and not granted";
          expect(await query(on.url, waiting)).toHaveLength(1);
        },
        { timeout: 10_000, interval: 10 },
      );
    });
    expect(await second).toBe("item_dependencies_acyclic");
    expect(await listDependencies(on.db, { project: project.key })).toEqual([
      { item: a, dependsOn: b },
    ]);
  });
});

async function sampleLane(given: Partial<NewLane> = {}) {
  const item = given.item ?? (await sampleItem(on.db)).key;
  return registerLane(on.db, {
    id: `lane-${item}-${given.branch ?? "turn"}`,
    item,
    branch: "turn",
    path: `/lanes/${item}`,
    commonDir: `/repositories/${item}/.git`,
    host: "bench",
    remote: "origin",
    at: noon,
    ...given,
  });
}

describe("lanes and sessions", () => {
  it("case D12 one active lane for an item's branch, for a worktree, and for a repository's branch", async () => {
    const lane = await sampleLane();
    const { state: _state, registeredAt: _at, ...same } = lane;
    const other = await sampleItem(on.db);
    expect(await broken(sampleLane({ ...same, id: "again", path: "/x", commonDir: "/x" }))).toBe(
      "lanes_active_branch_unique",
    );
    expect(
      await broken(sampleLane({ ...same, id: "again", item: other.key, commonDir: "/x" })),
    ).toBe("lanes_active_worktree_unique");
    expect(await broken(sampleLane({ ...same, id: "again", item: other.key, path: "/x" }))).toBe(
      "lanes_active_repository_branch_unique",
    );
    await markLaneRemoved(on.db, { lane: lane.id, at: after(1) });
    const again = await sampleLane({ ...same, id: `${lane.id}-again` });
    expect(await listLanes(on.db, { item: lane.item, state: "active" })).toEqual([again]);
    expect(await listLanes(on.db, { item: lane.item })).toHaveLength(2);
  });

  it("A6.3 sessions_steering_seat_unique: one active steering seat a project", async () => {
    const { key: project } = await sampleProject(on.db);
    expect(await broken(sampleSession(on.db, { steering: true }))).toBe(
      "sessions_steering_has_project",
    );
    const seat = await sampleSession(on.db, { project, steering: true });
    expect(await broken(sampleSession(on.db, { project, steering: true }))).toBe(
      "sessions_steering_seat_unique",
    );
    expect(await findSteeringSeat(on.db, { project })).toEqual(seat);
    await endSession(on.db, { id: seat.id, at: after(1) });
    expect(await findSteeringSeat(on.db, { project })).toBeNull();
    const next = await sampleSession(on.db, { project, steering: true });
    expect(await findSteeringSeat(on.db, { project })).toEqual(next);
  });
});

describe("append-only", () => {
  it("A1.2 qualifications_append_only: a qualification is never changed or taken back, only added", async () => {
    const { id, item } = await qualified(on.db, "failed");
    expect(await brokenBy("update qualifications set verdict = 'passed' where id = $1", id)).toBe(
      "qualifications_append_only",
    );
    expect(await brokenBy("delete from qualifications where id = $1", id)).toBe(
      "qualifications_append_only",
    );
    expect(await brokenBy("truncate qualifications cascade")).toBe("qualifications_append_only");
    const newer = await recordQualification(on.db, {
      id: `${id}-newer`,
      item,
      commit: sha("a"),
      tree: sha("b"),
      requirementDigest: "digest-1",
      verdict: "passed",
      evidence: "",
      recordedBy: "person",
      at: noon,
    });
    const stored = await listQualifications(on.db, { item });
    expect(stored.map((one) => one.id)).toEqual([newer.id, id]);
  });

  it("A11.1 receipts_append_only: identity is never changed, close-out is written once", async () => {
    const { key: item } = await sampleItem(on.db);
    await recordReceipt(on.db, { item, ...stampOf(), at: after(61) });
    const where = `where item = '${item}'`;
    for (const change of [
      `head = '${sha("f")}'`,
      `merge_commit = '${sha("f")}'`,
      "pull_request = 13",
      "target = 'next'",
      "head_branch = 'other'",
      "merged_at = now()",
      "recorded_at = now()",
    ]) {
      expect(await brokenBy(`update receipts set ${change} ${where}`)).toBe("receipts_append_only");
    }
    expect(await brokenBy(`delete from receipts ${where}`)).toBe("receipts_append_only");
    expect(await brokenBy("truncate receipts")).toBe("receipts_append_only");
    expect(await brokenBy(`update receipts set carried_by = 'x' ${where}`)).toBe(
      "receipts_close_out_whole",
    );
    const closeOut = {
      carriedBy: sha("d"),
      proof: "ancestry" as const,
      integrity: null,
      verifiedByGroup: null,
      result: "turned",
      verification: null,
      changedFiles: ["src/widget.ts"],
      contributedCommits: [sha("a")],
      at: after(90),
    };
    const identity = { item, pullRequest: 12, mergeCommit: sha("c") };
    const closed = await enrichReceipt(on.db, { ...identity, closeOut });
    expect(closed).toEqual({ item, ...stampOf(), recordedAt: after(61), closeOut });
    expect(await brokenBy(`update receipts set result = 'other' ${where}`)).toBe(
      "receipts_append_only",
    );
    await query(on.url, `update receipts set result = result ${where}`);
  });

  it("receipts_identity_unique", async () => {
    const { key: item } = await sampleItem(on.db);
    await recordReceipt(on.db, { item, ...stampOf(), at: noon });
    const copy = (mergeCommit: string) =>
      brokenBy(
        `insert into receipts (item, pull_request, head_branch, target, head, merge_commit, merged_at, recorded_at)
         select item, pull_request, head_branch, target, head, $2, merged_at, recorded_at from receipts where item = $1`,
        item,
        mergeCommit,
      );
    expect(await copy(sha("c"))).toBe("receipts_identity_unique");
    expect(await copy(sha("d"))).toBe("nothing was refused");
  });
});
