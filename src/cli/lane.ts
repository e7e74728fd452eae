/** Finds and reads the lane of an item on this host. */
import { hostname } from "node:os";
import { EXIT, refuse } from "../core/refusals.js";
import { sourceLane, type LaneAtHead } from "../core/landing/source-lane.js";
import type { Lane } from "../core/records.js";
import type { Outcome } from "../functions/define.js";
import { createGit, GitError } from "../git/index.js";
import type { LaneReading } from "../git/port.js";
import { call, refused } from "./call.js";

export interface FoundLane {
  readonly lane: LaneReading | null;
  readonly host: string;
  readonly remote: string | null;
}

/** What git says of the worktree at `path`; a refusal when it cannot be read. */
export async function readLane(path: string): Promise<Outcome<LaneReading>> {
  try {
    return { ok: true, output: await createGit().readLane(path), exit: EXIT.ok };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return refused(
      refuse("git_failed", `The lane at ${path} cannot be read: ${error.message}`, { path }),
    );
  }
}

/** The item's active lanes on this host; of `branch` only, when it is named. */
export async function lanesHere(
  item: string,
  branch: string | undefined,
): Promise<Outcome<readonly Lane[]>> {
  const host = hostname();
  const listed = await call<{ lanes: Lane[] }>("lanes.list", { item });
  if (!listed.ok) return listed;
  const output = listed.output.lanes.filter(
    (lane) => lane.host === host && (branch === undefined || lane.branch === branch),
  );
  if (output.length > 0 || branch === undefined) return { ok: true, output, exit: EXIT.ok };
  const seen = { item, branch, host };
  return refused(refuse("lane_unknown", `${item} has no lane ${branch} on host ${host}.`, seen));
}

/**
 * The lane of the item on this host that a request is of (A1.2, A12.4): the one of `branch` (`lane_unknown` when there
 * is none); the only one; of several the landing's own, as `sourceLane` says. An item without a lane here answers
 * `lane: null`: a landing that is merged already can still say so.
 */
export async function findLane(
  item: string,
  branch: string | undefined,
): Promise<Outcome<FoundLane>> {
  const host = hostname();
  const here = await lanesHere(item, branch);
  if (!here.ok) return here;
  const read: (LaneAtHead & { readonly found: FoundLane })[] = [];
  for (const { path, remote, integration } of here.output) {
    const reading = await readLane(path);
    if (!reading.ok) return reading;
    const { output: lane } = reading;
    const at = { branch: lane.branch ?? path, head: lane.head, integration };
    read.push({ ...at, found: { lane, host, remote } });
  }
  const head = read.length > 1 ? await landingHead(item) : null;
  if (head !== null && !head.ok) return head;
  const source = sourceLane(item, read, head?.output ?? null);
  if (!source.found) return refused(source.refusal);
  const output = source.lane?.found ?? { lane: null, host, remote: null };
  return { ok: true, output, exit: EXIT.ok };
}

/** Head of the pull request that the item's landing is of, from its record: that of the open attempt, while there is one. */
async function landingHead(item: string): Promise<Outcome<string | null>> {
  interface Landing {
    readonly head: string | null;
    readonly candidate: string | null;
  }
  interface Detail {
    readonly merge_queue: {
      readonly landing: Landing | null;
      readonly attempt: { readonly outcome: string | null; readonly landing: Landing } | null;
    };
  }
  const detail = await call<Detail>("items.detail.get", { item });
  if (!detail.ok) return detail;
  const { landing, attempt } = detail.output.merge_queue;
  const shown = attempt?.outcome === null ? attempt.landing : landing;
  return { ok: true, output: shown?.head ?? shown?.candidate ?? null, exit: EXIT.ok };
}
