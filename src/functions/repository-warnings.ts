/** What in a repository's settings keeps landings from working, from the facts GitHub gave. */
import type { RepositoryFacts } from "../github/port.js";

export interface RepositoryWarning {
  /** `fail`: no item can land until it is put right. */
  readonly status: "warn" | "fail";
  readonly text: string;
  readonly next: string;
}

export function repositoryWarnings(
  facts: RepositoryFacts,
  gateBranch: string,
): readonly RepositoryWarning[] {
  const warnings: RepositoryWarning[] = [];
  if (facts.queue === null) {
    warnings.push({
      status: "fail",
      text: `${gateBranch} has no merge queue.`,
      next: `Ask an administrator of the repository to require a merge queue on ${gateBranch}.`,
    });
  } else if (facts.queue.mergeMethod === "SQUASH" || facts.queue.mergeMethod === "REBASE") {
    warnings.push({
      status: "fail",
      text: `The queue of ${gateBranch} merges by ${facts.queue.mergeMethod.toLowerCase()}, so the verified commit never gets into the branch.`,
      next: "Ask an administrator of the repository to set the queue's merge method to merge.",
    });
  }
  if (!facts.autoMergeAllowed) {
    warnings.push({
      status: "warn",
      text: "The repository does not allow auto-merge, so nothing can be armed before its checks passed.",
      next: "Ask an administrator to switch on Allow auto-merge in the repository's settings.",
    });
  }
  return warnings;
}
