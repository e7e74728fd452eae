/** The required checks of a pull request's head, and the workflow runs and jobs behind them (A8.2). */
import { z } from "zod";

import { liveRules } from "../core/gate/gate-reasons.js";
import type { RequiredCheck } from "../core/gate/rules.js";
import type { CheckEvidence, Job, RequiredReport } from "../core/recovery/evidence.js";
import { runsInQuestion } from "../core/recovery/recover.js";
import { allChecks, type Check, rollupShape } from "./checks.js";
import { gateFields, gateReading, gateVariables, underGate } from "./gate.js";
import type { RepositoryRef } from "./port.js";
import * as queries from "./queries.js";
import { readWhole } from "./read.js";
import type { Transport } from "./transport.js";
import { readJobs, readRuns, stateOf } from "./workflow-runs.js";

const headShape = z.object({
  repository: z.object({
    url: z.string(),
    ...gateFields,
    pullRequest: z.object({ headRefOid: z.string(), statusCheckRollup: rollupShape }),
  }),
});
/**
 * One GraphQL request for the reports. Only when a required check was cancelled or never started: the runs of the
 * head, the jobs of those in question, and the annotations of their cancelled jobs, by REST. A part that cannot be
 * read raises `GitHubError`: nothing is rerun on half of the evidence.
 */
export async function readHeadChecks(
  transport: Transport,
  repository: RepositoryRef,
  ask: { readonly pullRequest: number; readonly gateBranch: string },
): Promise<CheckEvidence> {
  const { gateRef, gateDeclaration } = gateVariables(ask.gateBranch);
  const { data, tolerated } = await readWhole(
    transport,
    queries.headChecks,
    { ...repository, number: ask.pullRequest, gateRef, gateDeclaration, after: null },
    headShape,
    underGate,
  );
  const { headRefOid: head, statusCheckRollup } = data.repository.pullRequest;
  const of = { ...repository, number: ask.pullRequest, oid: head };
  const checks = await allChecks(transport, of, statusCheckRollup);
  const live = liveRules(gateReading(data.repository, tolerated, false).live);
  const reports = requiredReports(checks, live.combined ? live.rules.required_checks : []);
  if (!reports.some(({ state }) => inQuestion.has(state))) {
    return { head, reports, runs: [], jobs: [] };
  }
  const { url } = data.repository;
  const runs = await readRuns(transport, repository, url, { head_sha: head });
  const names = new Set(reports.map(({ name }) => name));
  const jobs: Job[] = [];
  for (const run of runsInQuestion(reports, runs)) {
    jobs.push(...(await readJobs(transport, repository, run.id, names)));
  }
  return { head, reports, runs, jobs };
}

const inQuestion: ReadonlySet<RequiredReport["state"]> = new Set([
  "cancelled",
  "never_started",
  "absent",
]);

/** A rerun of the jobs that did not pass; of the whole run when it has none. Sent once; a lost reply is `uncertain`. */
export async function rerunWorkflow(
  transport: Transport,
  { owner, name }: RepositoryRef,
  ask: { readonly run: number; readonly whole: boolean },
): Promise<void> {
  const what = ask.whole ? "rerun" : "rerun-failed-jobs";
  await transport.rest("POST", `/repos/${owner}/${name}/actions/runs/${ask.run}/${what}`);
}

/** The newest report of each required check: those that GitHub marks, and those that the rules name. */
function requiredReports(
  checks: readonly Check[],
  required: readonly RequiredCheck[],
): readonly RequiredReport[] {
  const marked = checks
    .filter(({ isRequired }) => isRequired)
    .map((check) => ({ context: nameOf(check), integration_id: null }));
  const byName = new Map<string, RequiredCheck>();
  for (const check of [...marked, ...required]) byName.set(check.context, check);
  return [...byName.values()].map(({ context, integration_id }) => {
    const made = checks.filter(
      (check) =>
        nameOf(check) === context &&
        (integration_id === null || appOf(check) === null || appOf(check) === integration_id),
    );
    const newest = made.reduce<Check | null>(
      (best, check) => (best === null || idOf(check) > idOf(best) ? check : best),
      null,
    );
    return newest === null
      ? { name: context, app: integration_id, state: "absent", url: null, run: null }
      : report(newest);
  });
}

function report(check: Check): RequiredReport {
  if (check.__typename === "StatusContext") {
    const states = { SUCCESS: "passed", PENDING: "in_progress", EXPECTED: "queued" } as const;
    const state = states[check.state as keyof typeof states] ?? "failed";
    return { name: check.context, app: null, state, url: check.targetUrl, run: null };
  }
  const { name, detailsUrl: url, checkSuite } = check;
  const run = checkSuite.workflowRun?.databaseId ?? null;
  const app = checkSuite.app?.databaseId ?? null;
  const ended = check.conclusion === null ? null : (neverStarted.get(check.conclusion) ?? null);
  const state =
    ended ?? stateOf(check.status.toLowerCase(), check.conclusion?.toLowerCase() ?? null);
  return { name, app, state, url, run };
}

const neverStarted = new Map([
  ["STARTUP_FAILURE", "never_started" as const],
  ["STALE", "never_started" as const],
]);

const nameOf = (check: Check): string =>
  check.__typename === "CheckRun" ? check.name : check.context;
const appOf = (check: Check): number | null =>
  check.__typename === "CheckRun" ? (check.checkSuite.app?.databaseId ?? null) : null;
/** A context has one status; a check of its name is newer only in name. */
const idOf = (check: Check): number =>
  check.__typename === "CheckRun" ? (check.databaseId ?? 0) : 0;
