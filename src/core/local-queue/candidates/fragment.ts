/** Records of the candidate store (C3.1): what happened to a candidate, one record each, never changed. */
import { z } from "zod";

const oid = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const evidence = z.array(z.object({ gate: z.string(), signals: z.array(z.string()) }));

const event = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("enqueued"),
    branch: z.string(),
    head: oid,
    /** The declared base, a branch. */
    base: z.string(),
    /** The worktree that has the branch checked out; null when none has. */
    worktree: z.string().nullable(),
    actor: z.string(),
  }),
  z.object({ type: z.literal("withdrawn"), actor: z.string(), why: z.string() }),
  /** Written before the base moves from `onto` to `commit`: a crash after it is settled by evidence in git (C5.5). */
  z.object({ type: z.literal("landing"), onto: oid, commit: oid }),
  z.object({ type: z.literal("landed"), onto: oid, commit: oid }),
  /** A landing that was begun did not happen. */
  z.object({ type: z.literal("rolled_back"), why: z.string() }),
  z.object({
    type: z.literal("charged"),
    as: z.enum(["rejected", "refused"]),
    evidence,
    /** What lands before it and it fails together with. */
    together: z.array(z.string()),
    /** The commit of the base it was tested on. */
    onto: oid,
  }),
  /** Its branch and worktree after it landed: gone, or why they stay. */
  z.object({ type: z.literal("pruned"), removed: z.boolean(), why: z.string() }),
]);

export const fragmentShape = z.object({
  schema: z.literal("yoke.merge-queue.fragment/1"),
  /** One process that writes. */
  writer: z.string().min(1),
  /** Counts what it wrote, from 1. */
  sequence: z.int().positive(),
  /** ISO 8601, UTC, milliseconds. Later than everything its writer had read. */
  recordedAt: z.iso.datetime({ precision: 3 }),
  /** Id of the candidate. */
  candidate: z.string().min(1),
  event,
});

export type Fragment = z.infer<typeof fragmentShape>;
export type CandidateEvent = Fragment["event"];

/** In the order in which they count (C3.2): never that of files, branches or lanes. */
export function inOrder(fragments: readonly Fragment[]): readonly Fragment[] {
  return fragments.toSorted(
    (a, b) =>
      compare(a.recordedAt, b.recordedAt) || compare(a.writer, b.writer) || a.sequence - b.sequence,
  );
}

/** ISO times of one precision sort as text; so do ids. Never by locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The time of the next record of a writer that has read everything up to `newest`: its own clock, unless that is behind
 * what it has read (C3.2). All ISO 8601 with milliseconds.
 */
export function recordTime(now: string, newest: string | null): string {
  if (newest === null || now > newest) return now;
  return new Date(Date.parse(newest) + 1).toISOString();
}
