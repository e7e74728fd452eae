/** The gate branch: what it declares in its tree, and what rulesets enforce on it (A2.2). */
import { z } from "zod";

import { declarationPath } from "../core/gate/declaration.js";
import type { GateReading } from "../core/gate/gate-reasons.js";
import type { DeclarationRead, LiveRules, RulesetRules } from "../core/gate/rules.js";
import { branchRef } from "./branch-ref.js";
import type { GraphqlError } from "./faults.js";
import type { GateBranch, RepositoryRef } from "./port.js";
import * as queries from "./queries.js";
import { readWhole } from "./read.js";
import type { Transport } from "./transport.js";

const queueParameters = z.object({
  __typename: z.literal("MergeQueueParameters"),
  mergeMethod: z.enum(["MERGE", "SQUASH", "REBASE"]),
  groupingStrategy: z.enum(["ALLGREEN", "HEADGREEN"]),
  checkResponseTimeoutMinutes: z.int(),
  maxEntriesToBuild: z.int(),
  maxEntriesToMerge: z.int(),
  minEntriesToMerge: z.int(),
  minEntriesToMergeWaitMinutes: z.int(),
});
const checkParameters = z.object({
  __typename: z.literal("RequiredStatusChecksParameters"),
  strictRequiredStatusChecksPolicy: z.boolean(),
  requiredStatusChecks: z.array(
    z.object({ context: z.string(), integrationId: z.int().nullable() }),
  ),
});
const ruleset = z.object({
  id: z.string(),
  name: z.string(),
  source: z.object({ nameWithOwner: z.string().optional(), login: z.string().optional() }),
});
const rule = z.object({
  type: z.string(),
  repositoryRuleset: ruleset.nullable(),
  parameters: z.unknown(),
});

/** Parts of a `Repository` shape; `fragment Gate` asks for them. */
export const gateFields = {
  gate: z
    .object({
      target: z.object({ oid: z.string() }).nullable(),
      rules: z
        .object({ pageInfo: z.object({ hasNextPage: z.boolean() }), nodes: z.array(rule) })
        .nullable(),
    })
    .nullable(),
  declaration: z
    .object({
      __typename: z.string(),
      text: z.string().nullish(),
      isTruncated: z.boolean().optional(),
    })
    .nullable(),
};
const gateShape = z.object(gateFields);

export function gateVariables(branch: string) {
  const gateRef = branchRef(branch);
  return { gate: branch, gateRef, gateDeclaration: `${gateRef}:${declarationPath}` };
}

/** What may be hidden from a credential that sees the pull requests is told as unreadable, not raised. */
export function underGate({ path }: GraphqlError): boolean {
  const [root, field, part] = path;
  return (
    root === "repository" && (field === "declaration" || (field === "gate" && part === "rules"))
  );
}

export function gateReading(
  repository: z.infer<typeof gateShape>,
  errors: readonly GraphqlError[],
  queueEnabled: boolean,
): GateReading {
  const hidden = (field: string) =>
    errors.find((error) => underGate(error) && error.path[1] === field)?.message;
  return {
    head: repository.gate?.target?.oid ?? null,
    declaration: declaration(repository.declaration, hidden("declaration")),
    live: live(repository.gate?.rules ?? null, hidden("gate"), queueEnabled),
  };
}

function declaration(
  seen: z.infer<typeof gateShape>["declaration"],
  hidden: string | undefined,
): DeclarationRead {
  if (hidden !== undefined) return { read: "unreadable", why: hidden };
  if (seen === null) return { read: "absent" };
  if (seen.__typename !== "Blob")
    return { read: "unreadable", why: `${declarationPath} is no file` };
  if (typeof seen.text !== "string" || seen.isTruncated === true) {
    return { read: "unreadable", why: `${declarationPath} is binary or too long` };
  }
  return { read: "text", text: seen.text };
}

type Rules = NonNullable<z.infer<typeof gateShape>["gate"]>["rules"];

/** A rule that is there and not understood makes all of them unreadable: half of the rules compare with nothing. */
function live(rules: Rules, hidden: string | undefined, queueEnabled: boolean): LiveRules {
  if (hidden !== undefined) return { read: "unreadable", why: hidden };
  if (rules === null) return { read: "unreadable", why: "GitHub shows no rules of the branch" };
  if (rules.pageInfo.hasNextPage) {
    return { read: "unreadable", why: "the branch has more than 100 rules" };
  }
  const byRuleset = new Map<string, RulesetRules>();
  for (const { type, repositoryRuleset, parameters } of rules.nodes) {
    if (type !== "MERGE_QUEUE" && type !== "REQUIRED_STATUS_CHECKS") continue;
    if (repositoryRuleset === null)
      return { read: "unreadable", why: `a rule ${type} names no ruleset` };
    const before = byRuleset.get(repositoryRuleset.id) ?? nothing(repositoryRuleset);
    const more = type === "MERGE_QUEUE" ? queueOf(parameters) : checksOf(parameters);
    if (more === null) return { read: "unreadable", why: `the rule ${type} was not understood` };
    byRuleset.set(repositoryRuleset.id, { ...before, ...more });
  }
  const rulesets = [...byRuleset.values()];
  if (queueEnabled && rulesets.every(({ queue }) => queue === null)) {
    const why =
      "the branch has a merge queue that no ruleset sets: classic branch protection is not read";
    return { read: "unreadable", why };
  }
  return { read: "rules", rulesets };
}

function nothing({ id, name, source }: z.infer<typeof ruleset>): RulesetRules {
  return {
    ruleset: { nodeId: id, name, source: source.nameWithOwner ?? source.login ?? "an enterprise" },
    queue: null,
    required_checks: [],
    strict: false,
  };
}

function queueOf(parameters: unknown): Pick<RulesetRules, "queue"> | null {
  const parsed = queueParameters.safeParse(parameters);
  if (!parsed.success) return null;
  const { data } = parsed;
  return {
    queue: {
      merge_method: data.mergeMethod,
      grouping_strategy: data.groupingStrategy,
      check_response_timeout_minutes: data.checkResponseTimeoutMinutes,
      max_entries_to_build: data.maxEntriesToBuild,
      max_entries_to_merge: data.maxEntriesToMerge,
      min_entries_to_merge: data.minEntriesToMerge,
      min_entries_to_merge_wait_minutes: data.minEntriesToMergeWaitMinutes,
    },
  };
}

function checksOf(parameters: unknown): Pick<RulesetRules, "required_checks" | "strict"> | null {
  const parsed = checkParameters.safeParse(parameters);
  if (!parsed.success) return null;
  return {
    strict: parsed.data.strictRequiredStatusChecksPolicy,
    required_checks: parsed.data.requiredStatusChecks.map(({ context, integrationId }) => ({
      context,
      integration_id: integrationId,
    })),
  };
}

const branchShape = z.object({
  repository: z.object({
    id: z.string(),
    autoMergeAllowed: z.boolean(),
    mergeQueue: z.object({}).nullable(),
    ...gateFields,
  }),
});

/** One request. */
export async function readGateBranch(
  transport: Transport,
  repository: RepositoryRef,
  branch: string,
): Promise<GateBranch> {
  const { data, tolerated } = await readWhole(
    transport,
    queries.gateBranch,
    { ...repository, ...gateVariables(branch) },
    branchShape,
    underGate,
  );
  const queueEnabled = data.repository.mergeQueue !== null;
  return {
    repositoryNodeId: data.repository.id,
    autoMergeAllowed: data.repository.autoMergeAllowed,
    queueEnabled,
    ...gateReading(data.repository, tolerated, queueEnabled),
  };
}
