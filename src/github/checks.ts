/** The checks of a commit, and which required ones did not pass. */
import { z } from "zod";

import type { FailedCheck } from "../core/landing/model.js";
import type { GraphqlError } from "./faults.js";
import { GitHubError, type RepositoryRef } from "./port.js";
import * as queries from "./queries.js";
import { readWhole } from "./read.js";
import type { Transport } from "./transport.js";

/** Pages of 100 checks that are read of one commit. */
const MOST_PAGES = 20;

const run = z.object({
  __typename: z.literal("CheckRun"),
  databaseId: z.number().nullable(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  detailsUrl: z.string().nullable(),
  isRequired: z.boolean(),
  checkSuite: z.object({
    app: z.object({ databaseId: z.number().nullable() }).nullable(),
    /** Null for another app's report. */
    workflowRun: z.object({ databaseId: z.number().nullable() }).nullable(),
  }),
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

const moreShape = z.object({
  repository: z.object({ object: z.object({ statusCheckRollup: rollupShape }) }),
});

/** Every report on a commit; `first` is the page that was read with it. */
export async function allChecks(
  transport: Transport,
  of: RepositoryRef & { readonly number: number; readonly oid: string },
  first: z.infer<typeof rollupShape>,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  let rollup = first;
  for (let page = 1; rollup !== null; page += 1) {
    const { nodes, pageInfo } = rollup.contexts;
    checks.push(...nodes.filter((node) => node !== null));
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) break;
    if (page === MOST_PAGES) {
      const message = `${of.oid} has more than ${MOST_PAGES * 100} checks`;
      throw new GitHubError({ kind: "unavailable", message });
    }
    const after = pageInfo.endCursor;
    const more = await readWhole(
      transport,
      queries.moreChecks,
      { ...of, after },
      moreShape,
      underWorkflowRun,
    );
    rollup = more.data.repository.object.statusCheckRollup;
  }
  return checks;
}

/** Page of a run: GitHub's reports name their job's page at most, and may name none (A9.4). */
export function runUrl(repositoryUrl: string, run: number): string {
  return `${repositoryUrl}/actions/runs/${run}`;
}

/** Which run is behind a report may be hidden from a credential that sees the report. */
export function underWorkflowRun({ path }: GraphqlError): boolean {
  return path.at(-1) === "workflowRun";
}

/** What satisfies a requirement (github-facts 4.14). */
export const PASSED: ReadonlySet<string> = new Set(["SUCCESS", "NEUTRAL", "SKIPPED"]);
const FAILED_STATES: ReadonlySet<string> = new Set(["FAILURE", "ERROR"]);

/**
 * The newest run of each required check of Actions or an App. GitHub's list still holds superseded runs and is in no
 * order of time, so of the runs of one name and app only the newest id counts (github-facts 4.16).
 */
function newestRequired(checks: readonly Check[]): readonly Run[] {
  const newest = new Map<string, Run>();
  for (const check of checks) {
    if (check.__typename !== "CheckRun") continue;
    const key = JSON.stringify([check.name, check.checkSuite.app?.databaseId ?? null]);
    const known = newest.get(key);
    if (known === undefined || (check.databaseId ?? 0) > (known.databaseId ?? 0)) {
      newest.set(key, check);
    }
  }
  return [...newest.values()].filter(({ isRequired }) => isRequired);
}

/**
 * The required checks that ended otherwise than passed, cancelled ones included. A status and a check of one name are
 * two requirements (github-facts 4.17).
 */
export function failedRequired(
  checks: readonly Check[],
  on: FailedCheck["on"],
  repositoryUrl: string,
): readonly FailedCheck[] {
  const failed: FailedCheck[] = [];
  for (const check of checks) {
    if (check.__typename !== "StatusContext") continue;
    if (check.isRequired && FAILED_STATES.has(check.state)) {
      failed.push({ name: check.context, conclusion: check.state, url: check.targetUrl, on });
    }
  }
  for (const { name, conclusion, detailsUrl, checkSuite } of newestRequired(checks)) {
    // A run that has not ended has no conclusion: it did not fail.
    if (conclusion === null || PASSED.has(conclusion)) continue;
    const run = checkSuite.workflowRun?.databaseId ?? null;
    const of = run === null ? {} : { runUrl: runUrl(repositoryUrl, run) };
    failed.push({ name, conclusion, url: detailsUrl, on, ...of });
  }
  return failed.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/** Names of the required checks that no runner took yet. */
export function notStartedRequired(checks: readonly Check[]): readonly string[] {
  return newestRequired(checks)
    .filter(({ status }) => status === "QUEUED" || status === "WAITING")
    .map(({ name }) => name)
    .sort();
}
