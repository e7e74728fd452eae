/** Making, changing and deleting rulesets. */
import { announceRuleset } from "./announce-repository.js";
import type { Engine } from "./engine.js";
import type { Repository, Ruleset } from "./model.js";
import { DEFAULT_QUEUE } from "./options.js";
import { notFound, unprocessable } from "./refusal.js";
import type { SetRuleset } from "./requests.js";

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
