/** Inputs that several operations share. */
import { z } from "zod";

export const actor = z.string().optional();
export const mergeMethod = z.enum(["MERGE", "SQUASH", "REBASE"]);

export const outcome = z.union([
  z.enum(["hold", "instant", "pass", "fail", "cancel", "never"]),
  z.strictObject({ flaky: z.int().min(0) }),
]);

export const annotation = z.strictObject({
  level: z.enum(["notice", "warning", "failure"]),
  message: z.string(),
  path: z.string(),
  line: z.int().min(1),
});

/** Of `RepositoryOptions`; every one may be left out. */
export const repositoryOptions = z.strictObject({
  branchNaming: z.enum(["built_on", "head"]).exactOptional(),
  landedCommit: z.enum(["group", "new"]).exactOptional(),
  conflicts: z.enum(["keep", "evict"]).exactOptional(),
  armWhenClean: z.enum(["refuse", "arm", "enqueue"]).exactOptional(),
  pushToQueuedHead: z.enum(["locked", "keeps_entry", "removes_entry"]).exactOptional(),
  pushToQueuedBase: z.enum(["allowed", "refused"]).exactOptional(),
  autoMergeOffOnForcePush: z.boolean().exactOptional(),
  removalOnMerge: z.enum(["before_merged", "after_merged"]).exactOptional(),
  unknownReads: z.int().min(0).exactOptional(),
  unknownMs: z.int().min(0).exactOptional(),
  lagMs: z.int().min(0).exactOptional(),
});

/** What can be set when a repository is made and later. */
export const repositorySettings = {
  defaultBranch: z.string().exactOptional(),
  private: z.boolean().exactOptional(),
  anonymousPush: z.boolean().exactOptional(),
  autoMergeAllowed: z.boolean().exactOptional(),
  mergeCommitAllowed: z.boolean().exactOptional(),
  squashMergeAllowed: z.boolean().exactOptional(),
  rebaseMergeAllowed: z.boolean().exactOptional(),
  deleteBranchOnMerge: z.boolean().exactOptional(),
  options: repositoryOptions.exactOptional(),
};

export const permissions = z.record(z.string(), z.enum(["read", "write", "admin"]));

export const webhook = z.strictObject({
  url: z.url(),
  secret: z.string(),
  active: z.boolean().default(true),
});
