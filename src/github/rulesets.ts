/** Rulesets as yoke writes them: found by name, written whole, sent once (A2.4). */
import { z } from "zod";

import type { GateRules } from "../core/gate/rules.js";
import { branchRef } from "./branch-ref.js";
import type { RepositoryRef } from "./port.js";
import * as queries from "./queries.js";
import { readWhole, type Whole } from "./read.js";
import type { Transport } from "./transport.js";
import { write } from "./writes.js";

const shape = z.object({
  repository: z.object({
    rulesets: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      nodes: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  }),
});

export async function findRuleset(
  transport: Transport,
  repository: RepositoryRef,
  ask: { readonly name: string },
): Promise<string | null> {
  let after: string | null = null;
  for (;;) {
    const page: Whole<z.infer<typeof shape>> = await readWhole(
      transport,
      queries.rulesets,
      { ...repository, after },
      shape,
    );
    const { nodes, pageInfo } = page.data.repository.rulesets;
    const found = nodes.find(({ name }) => name === ask.name);
    if (found !== undefined) return found.id;
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return null;
    after = pageInfo.endCursor;
  }
}

export function writeRuleset(
  transport: Transport,
  ask: {
    readonly repositoryNodeId: string;
    readonly nodeId: string | null;
    readonly name: string;
    readonly branch: string;
    readonly rules: GateRules;
  },
): Promise<void> {
  const content = {
    name: ask.name,
    target: "BRANCH",
    enforcement: "ACTIVE",
    conditions: { refName: { include: [branchRef(ask.branch)], exclude: [] } },
    rules: rulesOf(ask.rules),
  };
  return ask.nodeId === null
    ? write(transport, queries.createRuleset, "createRepositoryRuleset", {
        sourceId: ask.repositoryNodeId,
        ...content,
      })
    : write(transport, queries.updateRuleset, "updateRepositoryRuleset", {
        repositoryRulesetId: ask.nodeId,
        ...content,
      });
}

/** Any source of a check is said by leaving the App out (github-facts 4.38). */
function rulesOf({ queue, required_checks, strict }: GateRules) {
  const mergeQueue =
    queue === null
      ? null
      : {
          mergeMethod: queue.merge_method,
          groupingStrategy: queue.grouping_strategy,
          checkResponseTimeoutMinutes: queue.check_response_timeout_minutes,
          maxEntriesToBuild: queue.max_entries_to_build,
          maxEntriesToMerge: queue.max_entries_to_merge,
          minEntriesToMerge: queue.min_entries_to_merge,
          minEntriesToMergeWaitMinutes: queue.min_entries_to_merge_wait_minutes,
        };
  const requiredStatusChecks = {
    strictRequiredStatusChecksPolicy: strict,
    requiredStatusChecks: required_checks.map(({ context, integration_id }) => ({
      context,
      ...(integration_id === null ? {} : { integrationId: integration_id }),
    })),
  };
  return [
    ...(mergeQueue === null ? [] : [{ type: "MERGE_QUEUE", parameters: { mergeQueue } }]),
    ...(required_checks.length === 0 && !strict
      ? []
      : [{ type: "REQUIRED_STATUS_CHECKS", parameters: { requiredStatusChecks } }]),
  ];
}
