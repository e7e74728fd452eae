/** Every activity of a worker, by the task queue that serves it. */
import { closeOutActivities, laneHostActivities } from "./close-out.js";
import type { ActivityDependencies } from "./dependencies.js";
import { flakeRetryActivities } from "./flake-retries.js";
import { noticeActivities } from "./notices.js";
import { preflightActivities } from "./preflight.js";
import { projectionActivities } from "./projections.js";
import { pullRequestActivities } from "./pull-requests.js";
import { recoveryActivities } from "./recover-checks.js";
import { remoteBranchActivities } from "./remote-branch.js";
import { upkeepActivities } from "./upkeep.js";
import { directMergeActivities } from "./direct-merge.js";

/** Activities of the main task queue. */
export function createActivities(dependencies: ActivityDependencies) {
  return {
    ...preflightActivities(dependencies),
    ...pullRequestActivities(dependencies),
    ...projectionActivities(dependencies),
    ...noticeActivities(dependencies),
    ...recoveryActivities(dependencies),
    ...flakeRetryActivities(dependencies),
    ...closeOutActivities(dependencies),
    ...upkeepActivities(dependencies),
    ...directMergeActivities(dependencies),
  };
}

/** Activities of a host's own task queue: git work on the lanes that are there. */
export function createLaneHostActivities(dependencies: ActivityDependencies) {
  return { ...laneHostActivities(dependencies), ...remoteBranchActivities(dependencies) };
}

export type { PreflightPassed } from "./preflight.js";
export type Activities = ReturnType<typeof createActivities>;
export type LaneHostActivities = ReturnType<typeof createLaneHostActivities>;
