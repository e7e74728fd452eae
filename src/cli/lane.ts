/** Finds and reads the lane of an item on this host. */
import { hostname } from "node:os";
import { EXIT, refuse, type Refusal } from "../core/refusals.js";
import { sourceLane, type LaneAtHead } from "../core/landing/source-lane.js";
import type { Lane } from "../core/records.js";
import type { Outcome } from "../functions/define.js";
import { createGit, GitError } from "../git/index.js";
import type { LaneReading } from "../git/port.js";
import { call, refused } from "./call.js";

export type FoundLane =
  | { readonly lane: LaneReading; readonly host: string; readonly remote: string | null }
  /** `missing` is what to say where the request needs the lane. */
  | {
      readonly lane: null;
      readonly host: string;
      readonly remote: null;
      readonly missing: Refusal;
    };

/** What git says of the worktree at `path`; a refusal when it cannot be read. */
export async function readLane(path: string): Promise<Outcome<LaneReading>> {
  const read = await readOr(path, (error) =>
    error.kind === "gone"
      ? refuse("lane_not_a_worktree", `There is no folder ${path}.`, { path })
      : unreadable(path, error),
  );
  return "code" in read ? refused(read) : { ok: true, output: read, exit: EXIT.ok };
}

/** A lane that was registered and is gone can be put back: its repository and branch are on record. */
async function readRegistered(lane: Lane): Promise<LaneReading | Refusal> {
  const { item, branch, path, commonDir: repository } = lane;
  return readOr(path, (error) =>
    error.kind === "gone"
      ? refuse("lane_gone", `The lane ${branch} of ${item} is gone: there is no folder ${path}.`, {
          item,
          branch,
          path,
          repository,
        })
      : unreadable(path, error),
  );
}

async function readOr(
  path: string,
  say: (error: GitError) => Refusal,
): Promise<LaneReading | Refusal> {
  try {
    return await createGit().readLane(path);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return say(error);
  }
}

function unreadable(path: string, error: GitError): Refusal {
  return refuse("git_failed", `The lane at ${path} cannot be read: ${error.message}`, { path });
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
 * is none); the only one; of several the landing's own, as `sourceLane` says. An item without a lane here, or whose only
 * one cannot be read, answers `lane: null`: a landing that is under way or merged can still say so, also to a second
 * terminal while the first one's close-out takes the lane away.
 */
export async function findLane(
  item: string,
  branch: string | undefined,
): Promise<Outcome<FoundLane>> {
  const host = hostname();
  const here = await lanesHere(item, branch);
  if (!here.ok) return here;
  const without = (missing: Refusal): Outcome<FoundLane> => ({
    ok: true,
    output: { lane: null, host, remote: null, missing },
    exit: EXIT.ok,
  });
  const read: (LaneAtHead & { readonly found: FoundLane })[] = [];
  for (const registered of here.output) {
    const { remote, integration, path } = registered;
    const lane = await readRegistered(registered);
    if ("code" in lane) return here.output.length === 1 ? without(lane) : refused(lane);
    const at = { branch: lane.branch ?? path, head: lane.head, integration };
    read.push({ ...at, found: { lane, host, remote } });
  }
  const head = read.length > 1 ? await landingHead(item) : null;
  if (head !== null && !head.ok) return head;
  const source = sourceLane(item, read, head?.output ?? null);
  if (!source.found) return refused(source.refusal);
  if (source.lane !== null) return { ok: true, output: source.lane.found, exit: EXIT.ok };
  return without(refuse("lane_unknown", `${item} has no lane on this host.`, { item }));
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
