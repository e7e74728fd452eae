/** Rulesets, and what they mean for a branch. */
import type { Engine } from "./engine.js";
import type { QueueSettings, Repository, RequiredCheck, Ruleset } from "./model.js";
import { DEFAULT_QUEUE } from "./options.js";
import { notFound, unprocessable } from "./refusal.js";
import type { SetRuleset } from "./requests.js";
import { announceRuleset } from "./announce-repository.js";

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

/** @throws Refusal for a queue outside an organization (quirk 38), or an unknown id. */
export async function setRuleset(
  engine: Engine,
  repository: Repository,
  ask: SetRuleset,
): Promise<Ruleset> {
  const state = engine.repositoryState(repository);
  const { rulesets } = state.repository;
  if (ask.mergeQueue != null && repository.ownerType !== "Organization")
    throw unprocessable("Invalid rule 'merge_queue': not available for this repository");
  const index =
    ask.id === undefined
      ? rulesets.findIndex((one) => one.name === ask.name)
      : rulesets.findIndex((one) => one.id === ask.id);
  const old = rulesets[index];
  if (ask.id !== undefined && old === undefined) throw notFound(`a ruleset with the id ${ask.id}`);
  const now = engine.stamp();
  const ruleset: Ruleset = {
    id: old?.id ?? engine.nextId(),
    name: ask.name,
    enforcement: ask.enforcement ?? "active",
    target: "branch",
    include: [...(ask.include ?? ["~DEFAULT_BRANCH"])],
    exclude: [...(ask.exclude ?? [])],
    mergeQueue: ask.mergeQueue == null ? null : { ...DEFAULT_QUEUE, ...ask.mergeQueue },
    requiredStatusChecks:
      ask.requiredStatusChecks == null
        ? null
        : {
            checks: ask.requiredStatusChecks.checks.map((check) => ({ ...check })),
            strict: ask.requiredStatusChecks.strict ?? false,
          },
    requiredApprovals: ask.requiredApprovals ?? 0,
    createdAt: old?.createdAt ?? now,
    updatedAt: now,
  };
  if (old === undefined) rulesets.push(ruleset);
  else rulesets[index] = ruleset;
  await announceRuleset(engine, state, ruleset, old === undefined ? "created" : "edited");
  return ruleset;
}

export async function deleteRuleset(
  engine: Engine,
  repository: Repository,
  id: number,
): Promise<void> {
  const state = engine.repositoryState(repository);
  const index = state.repository.rulesets.findIndex((one) => one.id === id);
  const [ruleset] = index < 0 ? [] : state.repository.rulesets.splice(index, 1);
  if (ruleset === undefined) throw notFound(`a ruleset with the id ${id}`);
  await announceRuleset(engine, state, ruleset, "deleted");
}
