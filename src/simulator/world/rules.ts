/** What the rulesets of a repository mean for a branch. */
import type { QueueSettings, Repository, RequiredCheck, Ruleset } from "./model.js";

/** Active rules of a branch over all rulesets. */
export interface BranchRules {
  readonly mergeQueue: QueueSettings | null;
  readonly requiredChecks: readonly RequiredCheck[];
  /** The head must contain the base; GitHub drops this where there is a queue. */
  readonly strict: boolean;
  readonly requiredApprovals: number;
  /** The rulesets they come from. */
  readonly rulesets: readonly Ruleset[];
}

export function branchRules(repository: Repository, branch: string): BranchRules {
  const rulesets = repository.rulesets.filter(
    (ruleset) => ruleset.enforcement === "active" && applies(repository, ruleset, branch),
  );
  const checks = new Map<string, RequiredCheck>();
  for (const ruleset of rulesets)
    for (const check of ruleset.requiredStatusChecks?.checks ?? [])
      checks.set(`${check.context}\n${check.integrationId ?? ""}`, check);
  return {
    mergeQueue: rulesets.find((ruleset) => ruleset.mergeQueue !== null)?.mergeQueue ?? null,
    requiredChecks: [...checks.values()],
    strict: rulesets.some((ruleset) => ruleset.requiredStatusChecks?.strict === true),
    requiredApprovals: Math.max(0, ...rulesets.map((ruleset) => ruleset.requiredApprovals)),
    rulesets,
  };
}

function applies(repository: Repository, ruleset: Ruleset, branch: string): boolean {
  const names = (pattern: string): boolean =>
    pattern === "~ALL" ||
    (pattern === "~DEFAULT_BRANCH" && branch === repository.defaultBranch) ||
    pattern === `refs/heads/${branch}`;
  return ruleset.include.some(names) && !ruleset.exclude.some(names);
}
