/** Which required checks of a commit did not pass. */
import { z } from "zod";

import type { FailedCheck } from "../core/landing/model.js";

const run = z.object({
  __typename: z.literal("CheckRun"),
  databaseId: z.number().nullable(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  detailsUrl: z.string().nullable(),
  isRequired: z.boolean(),
  checkSuite: z.object({ app: z.object({ databaseId: z.number().nullable() }).nullable() }),
});
const status = z.object({
  __typename: z.literal("StatusContext"),
  context: z.string(),
  state: z.string(),
  targetUrl: z.string().nullable(),
  isRequired: z.boolean(),
});

export const checkShape = z.discriminatedUnion("__typename", [run, status]);
export type Check = z.infer<typeof checkShape>;
type Run = z.infer<typeof run>;

/** One page of a commit's checks; null for a commit that nothing reported on. */
export const rollupShape = z
  .object({
    contexts: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      nodes: z.array(checkShape.nullable()),
    }),
  })
  .nullable();

/** What satisfies a requirement (github-facts 4.14). */
const PASSED: ReadonlySet<string> = new Set(["SUCCESS", "NEUTRAL", "SKIPPED"]);
const FAILED_STATES: ReadonlySet<string> = new Set(["FAILURE", "ERROR"]);

/**
 * The required checks that ended otherwise than passed, cancelled ones included. GitHub's list still holds
 * superseded runs and is in no order of time, so of the runs of one name and app only the newest id counts
 * (github-facts 4.16). A status and a check of one name are two requirements (4.17).
 */
export function failedRequired(
  checks: readonly Check[],
  on: FailedCheck["on"],
): readonly FailedCheck[] {
  const newest = new Map<string, Run>();
  const failed: FailedCheck[] = [];
  for (const check of checks) {
    if (check.__typename === "StatusContext") {
      if (check.isRequired && FAILED_STATES.has(check.state)) {
        failed.push({ name: check.context, conclusion: check.state, url: check.targetUrl, on });
      }
      continue;
    }
    const key = JSON.stringify([check.name, check.checkSuite.app?.databaseId ?? null]);
    const known = newest.get(key);
    if (known === undefined || (check.databaseId ?? 0) > (known.databaseId ?? 0)) {
      newest.set(key, check);
    }
  }
  for (const { isRequired, name, conclusion, detailsUrl } of newest.values()) {
    // A run that has not ended has no conclusion: it did not fail.
    if (!isRequired || conclusion === null || PASSED.has(conclusion)) continue;
    failed.push({ name, conclusion, url: detailsUrl, on });
  }
  return failed.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}
