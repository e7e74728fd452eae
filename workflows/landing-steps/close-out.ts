/** Close-out of a landing that GitHub merged (A11.2 – A11.4). */
import { ActivityFailure, proxyActivities, TimeoutFailure } from "@temporalio/workflow";
import type { Activities, LaneHostActivities } from "../../activities/index.js";
import { profiles } from "../../activities/profiles.js";
import { decide } from "../../src/core/landing/decide.js";
import { defaultPolicy, type Candidate } from "../../src/core/landing/model.js";
import { withGroupRun } from "../../src/core/landing/group-run.js";
import { wrongTreeRefusal } from "../../src/core/landing/wrong-tree.js";
import { refuse, type Refusal } from "../../src/core/refusals.js";
import type { LaneReading, LaneRemoval, Proved } from "../../src/git/port.js";
import type { MergeAnswer, MergeRequest } from "../names.js";
import { failureMessage, type Journal } from "./journal.js";
import { deleteRemoteBranch } from "./remote-branch.js";

const database = proxyActivities<Activities>(profiles.database);

/**
 * Proves the carrying merge on the fetched gate branch, enriches the receipt, marks the item landed, and removes
 * the lane where nothing would be lost. Every refusal keeps the lane and leaves the item before landing (A11.3).
 * What becomes of the lane, or of its branch on GitHub, never changes the verdict (cases A24, A44).
 */
export async function closeOut(
  journal: Journal,
  request: MergeRequest,
  hostQueue: string,
): Promise<MergeAnswer> {
  const { candidate, landed } = journal.state;
  const { lane } = request;
  const refused = (...refusals: ReturnType<typeof refuse>[]): MergeAnswer => ({
    outcome: "refused",
    refusals,
  });
  if (candidate === null || lane === null || landed === null) {
    return refused(
      refuse("lane_unknown", `${request.item} has no lane on ${request.host} to close out from.`, {
        item: request.item,
      }),
    );
  }
  const proved = await prove(
    journal.project,
    request,
    { candidate: candidate.commit, mergeCommit: landed.mergeCommit },
    hostQueue,
  );
  if (!proved.ok) return refused(proved.refusal);
  const { integrity } = proved.proof;
  if (integrity?.is === "wrong_tree") {
    const wrong = { commit: landed.mergeCommit, onto: integrity.onto, paths: integrity.paths };
    await journal.take({ type: "wrongTreeFound", wrong });
    return refused(wrongTreeRefusal(journal.state, wrong));
  }

  const decision = decide(journal.state, { type: "closedOut" }, defaultPolicy);
  const receipt = await database.recordCloseOut({
    state: decision.state,
    version: journal.version + 1,
    why: decision.why,
    proof: proved.proof,
    result: journal.result,
    verification: journal.verification,
  });
  const before = journal.state;
  journal.state = withGroupRun(decision.state, receipt.closeOut?.verifiedByGroup ?? null);
  journal.version += 1;
  journal.why = decision.why;
  journal.describe(before);

  const removal = await cleanUp({
    item: request.item,
    lane,
    candidate,
    carriedBy: proved.proof.gateHead,
    hostQueue,
  });
  const remoteBranch = await deleteRemoteBranch(request, candidate, hostQueue);
  return {
    outcome: "landed",
    state: journal.state,
    receipt,
    lane: removal,
    ...(remoteBranch === null ? {} : { remoteBranch }),
  };
}

/** Proves on the lane's host that the fetched gate branch carries a commit; what goes wrong is a refusal (A11.3). */
export async function prove(
  project: string,
  { lane, remote, host, item }: MergeRequest,
  /** `mergeCommit`: what GitHub says merged it; null for a commit that was not a candidate. */
  of: { readonly candidate: string; readonly mergeCommit: string | null },
  hostQueue: string,
): Promise<Proved> {
  const failed = (refusal: Refusal): Proved => ({ ok: false, refusal });
  if (lane === null)
    return failed(refuse("lane_unknown", `${item} has no lane on ${host}.`, { item }));
  try {
    return await onHost(hostQueue).proveCarried({
      project,
      repository: lane.commonDir,
      remote,
      ...of,
    });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return failed(
      error.cause instanceof TimeoutFailure
        ? refuse("lane_host_unreachable", `No worker on ${host} took the close-out.`, { host })
        : refuse("closeout_ancestry_unreadable", failureMessage(error), { item }),
    );
  }
}

/** Removes the lane where nothing would be lost (A11.4), and records that it is gone. */
export async function cleanUp(ask: {
  readonly item: string;
  readonly lane: LaneReading;
  readonly candidate: Pick<Candidate, "commit" | "branch">;
  /** A commit of the gate branch that carries the candidate. */
  readonly carriedBy: string;
  readonly hostQueue: string;
}): Promise<LaneRemoval> {
  const { item, lane, candidate, carriedBy, hostQueue } = ask;
  const removal = await onHost(hostQueue)
    .removeLane({
      repository: lane.commonDir,
      worktree: lane.path,
      branch: candidate.branch,
      candidate: candidate.commit,
      carriedBy,
    })
    .catch((error: unknown): LaneRemoval => {
      if (!(error instanceof ActivityFailure)) throw error;
      return {
        removed: false,
        why: failureMessage(error),
        next: "Remove the lane by hand when you have looked.",
      };
    });
  if (removal.removed) await database.recordLaneRemoved({ item, branch: candidate.branch });
  return removal;
}

/** The activities of the host that has the lane. */
function onHost(hostQueue: string) {
  return proxyActivities<LaneHostActivities>({ ...profiles.laneHost, taskQueue: hostQueue });
}
