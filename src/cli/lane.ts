/** Finds and reads the lane of an item on this host. */
import { hostname } from "node:os";
import { EXIT, refuse } from "../core/refusals.js";
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

/**
 * The item's active lane on this host (A1.2): the only one, or the one of `branch` (`lane_unknown` when it has none).
 * An item without a lane here answers `lane: null`: a landing that is merged already can still say so.
 */
export async function findLane(
  item: string,
  branch: string | undefined,
): Promise<Outcome<FoundLane>> {
  const host = hostname();
  const listed = await call<{ lanes: Lane[] }>("lanes.list", { item });
  if (!listed.ok) return listed;
  const here = listed.output.lanes.filter(
    (lane) => lane.host === host && (branch === undefined || lane.branch === branch),
  );
  const [only, ...others] = here;
  if (others.length > 0) {
    const lanes = here.map((lane) => lane.branch).join(", ");
    return refused(
      refuse("lane_ambiguous", `${item} has several lanes here: ${lanes}.`, { item, lanes }),
    );
  }
  if (only === undefined && branch !== undefined) {
    const seen = { item, branch, host };
    return refused(refuse("lane_unknown", `${item} has no lane ${branch} on host ${host}.`, seen));
  }
  if (only === undefined)
    return { ok: true, output: { lane: null, host, remote: null }, exit: EXIT.ok };
  const read = await readLane(only.path);
  if (!read.ok) return read;
  return { ok: true, output: { lane: read.output, host, remote: only.remote }, exit: EXIT.ok };
}
