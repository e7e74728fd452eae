/** Rules of branches, and rulesets. */
import { z } from "zod";

import type { Ruleset } from "../../world/model.js";
import { nodeId } from "../../world/node-ids.js";
import { seconds } from "../../world/payloads/links.js";
import { Refusal } from "../../world/refusal.js";
import type { SetRuleset } from "../../world/requests.js";
import { empty, json } from "../http/answer.js";
import { given, type RestCall } from "./call.js";
import { listed } from "./paging.js";
import { reading, writing } from "./repository-routes.js";

export const rulesetRoutes = [
  reading("/rules/branches/{branch+}", "metadata", (call) => {
    const { rulesets } = call.world.branchRules(call.repository, call.param("branch"));
    const rules = rulesets.flatMap((ruleset) =>
      rulesOf(ruleset).map((rule) => ({
        ...rule,
        ruleset_source_type: "Repository",
        ruleset_source: `${call.repository.owner}/${call.repository.name}`,
        ruleset_id: ruleset.id,
      })),
    );
    return listed(call, rules, (rule) => rule);
  }),
  reading("/rulesets", "metadata", (call) =>
    listed(call, call.repository.rulesets, (one) => summary(call, one)),
  ),
  writing("POST", "/rulesets", "administration", async (call) => {
    const asked = await readInput(call);
    if (call.repository.rulesets.some(({ name }) => name === asked.name))
      throw new Refusal("UNPROCESSABLE", "Validation Failed: Name must be unique");
    return json(201, payload(call, await call.world.setRuleset(call.repository, asked)));
  }),
  reading("/rulesets/{ruleset_id}", "metadata", (call) => json(200, payload(call, required(call)))),
  writing("PUT", "/rulesets/{ruleset_id}", "administration", async (call) => {
    const before = required(call);
    const asked = await readInput(call, before);
    const ruleset = await call.world.setRuleset(call.repository, { ...asked, id: before.id });
    return json(200, payload(call, ruleset));
  }),
  writing("DELETE", "/rulesets/{ruleset_id}", "administration", async (call) => {
    await call.world.deleteRuleset(call.repository, required(call).id);
    return empty(204);
  }),
];

function required(call: RestCall): Ruleset {
  const id = call.id("ruleset_id");
  const found = call.repository.rulesets.find((one) => one.id === id);
  if (found === undefined) throw new Refusal("NOT_FOUND", "Not Found");
  return found;
}

function summary(call: RestCall, ruleset: Ruleset): Record<string, unknown> {
  const { repository, links } = call;
  return {
    id: ruleset.id,
    node_id: nodeId("RRS", repository.id, ruleset.id),
    name: ruleset.name,
    target: ruleset.target,
    source_type: "Repository",
    source: `${repository.owner}/${repository.name}`,
    enforcement: ruleset.enforcement,
    created_at: seconds(ruleset.createdAt),
    updated_at: seconds(ruleset.updatedAt),
    _links: {
      self: { href: `${links.api}/rulesets/${ruleset.id}` },
      html: { href: `${links.html}/rules/${ruleset.id}` },
    },
  };
}

function payload(call: RestCall, ruleset: Ruleset): Record<string, unknown> {
  return {
    ...summary(call, ruleset),
    // Nobody may go past the rules here.
    bypass_actors: [],
    current_user_can_bypass: "never",
    conditions: { ref_name: { include: ruleset.include, exclude: ruleset.exclude } },
    rules: rulesOf(ruleset),
  };
}

function rulesOf(ruleset: Ruleset): { type: string; parameters: Record<string, unknown> }[] {
  const { mergeQueue: queue, requiredStatusChecks: checks, requiredApprovals } = ruleset;
  const rules = [];
  if (queue !== null)
    rules.push({
      type: "merge_queue",
      parameters: {
        check_response_timeout_minutes: queue.checkResponseTimeoutMinutes,
        grouping_strategy: queue.groupingStrategy,
        max_entries_to_build: queue.maxEntriesToBuild,
        max_entries_to_merge: queue.maxEntriesToMerge,
        merge_method: queue.mergeMethod,
        min_entries_to_merge: queue.minEntriesToMerge,
        min_entries_to_merge_wait_minutes: queue.minEntriesToMergeWaitMinutes,
      },
    });
  if (checks !== null)
    rules.push({
      type: "required_status_checks",
      parameters: {
        strict_required_status_checks_policy: checks.strict,
        do_not_enforce_on_create: false,
        required_status_checks: checks.checks.map(({ context, integrationId }) => ({
          context,
          ...given({ integration_id: integrationId }),
        })),
      },
    });
  if (requiredApprovals > 0)
    rules.push({
      type: "pull_request",
      parameters: {
        required_approving_review_count: requiredApprovals,
        dismiss_stale_reviews_on_push: false,
        require_code_owner_review: false,
        require_last_push_approval: false,
        required_review_thread_resolution: false,
      },
    });
  return rules;
}

const minutes = z.int().min(0).max(360);
const entries = z.int().min(0).max(100);

/** Ranges of github-facts 1.2. A rule that is not simulated is refused, not forgotten. */
const rule = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("merge_queue"),
    parameters: z.object({
      check_response_timeout_minutes: minutes.min(1),
      grouping_strategy: z.enum(["ALLGREEN", "HEADGREEN"]),
      max_entries_to_build: entries,
      max_entries_to_merge: entries,
      merge_method: z.enum(["MERGE", "SQUASH", "REBASE"]),
      min_entries_to_merge: entries,
      min_entries_to_merge_wait_minutes: minutes,
    }),
  }),
  z.object({
    type: z.literal("required_status_checks"),
    parameters: z.object({
      strict_required_status_checks_policy: z.boolean(),
      do_not_enforce_on_create: z.boolean().optional(),
      required_status_checks: z.array(
        // -1 is refused: to bind no App, leave it out (quirk 38).
        z.object({ context: z.string(), integration_id: z.int().min(0).optional() }),
      ),
    }),
  }),
  z.object({
    type: z.literal("pull_request"),
    parameters: z.looseObject({ required_approving_review_count: z.int().min(0).max(10) }),
  }),
]);

const input = z.object({
  name: z.string(),
  target: z.literal("branch").optional(),
  enforcement: z.enum(["active", "evaluate", "disabled"]),
  conditions: z
    .object({
      ref_name: z.object({
        include: z.array(z.string()).default([]),
        exclude: z.array(z.string()).default([]),
      }),
    })
    .optional(),
  // Nobody may go past the rules here, so a list of those who may is refused unless it is empty.
  bypass_actors: z.array(z.never()).optional(),
  rules: z.array(rule).optional(),
});

const edit = input.partial();

/** An update leaves out what stays as it is in `before`. */
async function readInput(call: RestCall, before?: Ruleset): Promise<SetRuleset> {
  const asked: z.infer<typeof edit> = await call.input(before === undefined ? input : edit);
  return {
    name: asked.name ?? before?.name ?? "",
    ...given({
      enforcement: asked.enforcement ?? before?.enforcement,
      include: asked.conditions?.ref_name.include ?? before?.include,
      exclude: asked.conditions?.ref_name.exclude ?? before?.exclude,
    }),
    ...(asked.rules === undefined ? kept(before) : fromRules(asked.rules)),
  };
}

type Rules = Pick<SetRuleset, "mergeQueue" | "requiredStatusChecks" | "requiredApprovals">;

function kept(before: Ruleset | undefined): Rules {
  if (before === undefined) return {};
  const { mergeQueue, requiredStatusChecks, requiredApprovals } = before;
  return { mergeQueue, requiredStatusChecks, requiredApprovals };
}

function fromRules(rules: readonly z.infer<typeof rule>[]): Rules {
  const parts: Rules[] = rules.map((one): Rules => {
    if (one.type === "pull_request")
      return { requiredApprovals: one.parameters.required_approving_review_count };
    if (one.type === "required_status_checks") {
      const { required_status_checks: checks, ...rest } = one.parameters;
      return {
        requiredStatusChecks: {
          strict: rest.strict_required_status_checks_policy,
          checks: checks.map((check) => ({
            context: check.context,
            integrationId: check.integration_id ?? null,
          })),
        },
      };
    }
    const { parameters } = one;
    return {
      mergeQueue: {
        checkResponseTimeoutMinutes: parameters.check_response_timeout_minutes,
        groupingStrategy: parameters.grouping_strategy,
        maxEntriesToBuild: parameters.max_entries_to_build,
        maxEntriesToMerge: parameters.max_entries_to_merge,
        mergeMethod: parameters.merge_method,
        minEntriesToMerge: parameters.min_entries_to_merge,
        minEntriesToMergeWaitMinutes: parameters.min_entries_to_merge_wait_minutes,
      },
    };
  });
  return Object.assign(
    { mergeQueue: null, requiredStatusChecks: null, requiredApprovals: 0 },
    ...parts,
  ) as Rules;
}
