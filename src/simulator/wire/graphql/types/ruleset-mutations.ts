/** Mutations on rulesets (github-facts 1.3). A rule that is not simulated is refused, not forgotten. */
import type { QueueSettings, Repository, Ruleset } from "../../../world/model.js";
import { unprocessable } from "../../../world/refusal.js";
import type { SetRuleset } from "../../../world/requests.js";
import type { GraphqlContext } from "../context.js";
import { notFound } from "../errors.js";
import { type Fields, Plain } from "../fields.js";

interface RuleInput {
  readonly type: string;
  readonly parameters?: {
    readonly mergeQueue?: QueueSettings | null;
    readonly requiredStatusChecks?: {
      readonly strictRequiredStatusChecksPolicy: boolean;
      readonly requiredStatusChecks: readonly {
        readonly context: string;
        readonly integrationId?: number | null;
      }[];
    } | null;
  } | null;
}

interface RulesetInput {
  readonly clientMutationId?: string | null;
  readonly name?: string | null;
  readonly enforcement?: "ACTIVE" | "EVALUATE" | "DISABLED" | null;
  readonly conditions?: {
    readonly refName?: {
      readonly include: readonly string[];
      readonly exclude: readonly string[];
    } | null;
  } | null;
  readonly rules?: readonly RuleInput[] | null;
}

export const rulesetMutations: Fields<undefined> = {
  createRepositoryRuleset: async (
    _,
    { input }: { input: RulesetInput & { sourceId: string } },
    context,
  ) => {
    const node = context.world.node(input.sourceId);
    if (node?.kind !== "Repository" || !context.sees(node.repository))
      throw notFound(`a node with the global id of '${input.sourceId}'`);
    const { repository } = node;
    if (repository.rulesets.some(({ name }) => name === input.name))
      throw unprocessable("Name must be unique");
    return written(context, repository, input, null);
  },
  updateRepositoryRuleset: async (
    _,
    { input }: { input: RulesetInput & { repositoryRulesetId: string } },
    context,
  ) => {
    const node = context.world.node(input.repositoryRulesetId);
    if (node?.kind !== "RepositoryRuleset" || !context.sees(node.repository))
      throw notFound(`a node with the global id of '${input.repositoryRulesetId}'`);
    return written(context, node.repository, input, node.value);
  },
};

async function written(
  context: GraphqlContext,
  repository: Repository,
  input: RulesetInput,
  before: Ruleset | null,
): Promise<Plain> {
  context.require("administration", "write");
  const refName = input.conditions?.refName ?? null;
  const ruleset = await context.world.setRuleset(repository, {
    ...(before === null ? {} : { id: before.id }),
    name: input.name ?? before?.name ?? "",
    enforcement: enforcement(input.enforcement) ?? before?.enforcement ?? "active",
    include: refName?.include ?? before?.include ?? [],
    exclude: refName?.exclude ?? before?.exclude ?? [],
    ...(input.rules == null ? kept(before) : fromRules(input.rules)),
  });
  return new Plain({
    clientMutationId: input.clientMutationId ?? null,
    ruleset: { __typename: "RepositoryRuleset", repository, ruleset },
  });
}

function enforcement(given: RulesetInput["enforcement"]): Ruleset["enforcement"] | null {
  if (given == null) return null;
  return ({ ACTIVE: "active", EVALUATE: "evaluate", DISABLED: "disabled" } as const)[given];
}

type Rules = Pick<SetRuleset, "mergeQueue" | "requiredStatusChecks" | "requiredApprovals">;

function kept(before: Ruleset | null): Rules {
  if (before === null) return {};
  const { mergeQueue, requiredStatusChecks, requiredApprovals } = before;
  return { mergeQueue, requiredStatusChecks, requiredApprovals };
}

/** The list replaces all rules. */
function fromRules(rules: readonly RuleInput[]): Rules {
  let mergeQueue: QueueSettings | null = null;
  let requiredStatusChecks: Ruleset["requiredStatusChecks"] = null;
  for (const { type, parameters } of rules) {
    if (type === "MERGE_QUEUE" && parameters?.mergeQueue != null) {
      mergeQueue = parameters.mergeQueue;
    } else if (type === "REQUIRED_STATUS_CHECKS" && parameters?.requiredStatusChecks != null) {
      const { strictRequiredStatusChecksPolicy: strict, requiredStatusChecks: checks } =
        parameters.requiredStatusChecks;
      requiredStatusChecks = {
        strict,
        checks: checks.map(({ context, integrationId }) => ({
          context,
          integrationId: integrationId ?? null,
        })),
      };
    } else {
      throw unprocessable(`Invalid rule '${type.toLowerCase()}': it is not simulated`);
    }
  }
  return { mergeQueue, requiredStatusChecks, requiredApprovals: 0 };
}
