/** Defaults of the simulated GitHub. */
import type { QueueSettings, RepositoryOptions } from "./model.js";

export const DEFAULT_OPTIONS: RepositoryOptions = {
  branchNaming: "built_on",
  landedCommit: "group",
  conflicts: "keep",
  armWhenClean: "refuse",
  pushToQueuedHead: "locked",
  pushToQueuedBase: "allowed",
  autoMergeOffOnForcePush: false,
  removalOnMerge: "after_merged",
  unknownReads: 0,
  unknownMs: 0,
  lagMs: 0,
};

export const DEFAULT_QUEUE: QueueSettings = {
  checkResponseTimeoutMinutes: 60,
  groupingStrategy: "ALLGREEN",
  maxEntriesToBuild: 5,
  maxEntriesToMerge: 5,
  mergeMethod: "MERGE",
  minEntriesToMerge: 1,
  minEntriesToMergeWaitMinutes: 5,
};

/** App id of GitHub Actions on github.com. */
export const ACTIONS_APP_ID = 15368;
