/** The lane's branch on GitHub, once its landing is proved and recorded (A16.6). */
import { ActivityFailure, proxyActivities } from "@temporalio/workflow";
import type { LaneHostActivities } from "../../activities/index.js";
import { profiles } from "../../activities/profiles.js";
import type { Candidate } from "../../src/core/landing/model.js";
import type { BranchRemoval } from "../../src/core/landing/remote-branch.js";
import type { MergeRequest } from "../names.js";
import { failureMessage } from "./journal.js";

/** Deletes it where the project asks for that; null: it does not. Whatever comes of it, the item has landed. */
export async function deleteRemoteBranch(
  { project, item, lane, remote, deleteRemoteBranch: asked }: MergeRequest,
  { branch, commit: oid }: Pick<Candidate, "branch" | "commit">,
  hostQueue: string,
): Promise<BranchRemoval | null> {
  if (asked !== true || lane === null || remote === null) return null;
  const onHost = proxyActivities<LaneHostActivities>({
    ...profiles.laneHost,
    taskQueue: hostQueue,
  });
  try {
    const repository = lane.commonDir;
    return await onHost.deleteRemoteBranch({ project, item, repository, remote, branch, oid });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const next = `Delete \`${branch}\` by hand, if it is not wanted any more.`;
    return { deleted: false, why: failureMessage(error), next };
  }
}
