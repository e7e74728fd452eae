/** The required checks of a pull request's head, and the workflow runs and jobs behind them (A8.2). */
import { z } from "zod";

import { liveRules } from "../core/gate/gate-reasons.js";
import type { RequiredCheck } from "../core/gate/rules.js";
import type { CheckEvidence, Job, RequiredReport, WorkflowRun } from "../core/recovery/evidence.js";
import { runsInQuestion } from "../core/recovery/recover.js";
import { cancelWords } from "./cancel-texts.js";
import { allChecks, type Check, PASSED, rollupShape, runUrl } from "./checks.js";
import { gateFields, gateReading, gateVariables, underGate } from "./gate.js";
import { GitHubError, type RepositoryRef } from "./port.js";
import * as queries from "./queries.js";
import { readWhole } from "./read.js";
import type { Transport } from "./transport.js";

/** Pages of 100 that are read of one REST list. */
const MOST_PAGES = 10;

const headShape = z.object({
  repository: z.object({
    url: z.string(),
    ...gateFields,
    pullRequest: z.object({ headRefOid: z.string(), statusCheckRollup: rollupShape }),
  }),
});
const runShape = z.object({
  id: z.int(),
  name: z.string().nullish(),
  workflow_id: z.int(),
  run_number: z.int(),
  run_attempt: z.int().nullish(),
  status: z.string().nullable(),
  conclusion: z.string().nullable(),
  event: z.string(),
  head_branch: z.string().nullable(),
  head_sha: z.string(),
  created_at: z.string(),
  html_url: z.string().nullish(),
});
const jobShape = z.object({
  run_attempt: z.int().nullish(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  completed_at: z.string().nullable(),
  runner_name: z.string().nullish(),
  check_run_url: z.string(),
});
const annotationsShape = z.array(z.object({ message: z.string().nullable() }));

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
  const rest = restOf(transport, repository);
  const runs = (await rest.list(`/actions/runs?head_sha=${head}`, "workflow_runs", runShape)).map(
    (run) => workflowRun(data.repository.url, run),
  );
  const jobs: Job[] = [];
  const wanted = new Set(reports.map(({ name }) => name));
  for (const run of runsInQuestion(reports, runs)) {
    const listed = await rest.list(`/actions/runs/${run.id}/jobs?filter=all`, "jobs", jobShape);
    for (const job of listed) {
      const read = stateOf(job.status, job.conclusion) === "cancelled" && wanted.has(job.name);
      jobs.push(jobOf(run.id, job, read ? await rest.annotations(job.check_run_url) : []));
    }
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

/** GitHub's statuses and conclusions, which REST writes in lower case, as what a rerun turns on. */
function stateOf(status: string | null, conclusion: string | null): WorkflowRun["state"] {
  if (status === "in_progress") return "in_progress";
  if (status !== "completed" || conclusion === null) return "queued";
  if (PASSED.has(conclusion.toUpperCase())) return "passed";
  return ["cancelled", "startup_failure", "stale"].includes(conclusion) ? "cancelled" : "failed";
}

function workflowRun(repositoryUrl: string, run: z.infer<typeof runShape>): WorkflowRun {
  return {
    id: run.id,
    workflow: { id: run.workflow_id, name: run.name ?? `workflow ${run.workflow_id}` },
    number: run.run_number,
    attempt: run.run_attempt ?? 1,
    state: stateOf(run.status, run.conclusion),
    event: run.event,
    branch: run.head_branch,
    head: run.head_sha,
    createdAt: run.created_at,
    url: run.html_url ?? runUrl(repositoryUrl, run.id),
  };
}

function jobOf(run: number, job: z.infer<typeof jobShape>, annotations: readonly string[]): Job {
  return {
    run,
    attempt: job.run_attempt ?? 1,
    name: job.name,
    state: stateOf(job.status, job.conclusion),
    started: (job.runner_name ?? "") !== "",
    endedAt: job.completed_at,
    says: cancelWords(annotations),
  };
}

function restOf(transport: Transport, { owner, name }: RepositoryRef) {
  const base = `/repos/${owner}/${name}`;
  const understood = <T>(shape: z.ZodType<T>, answer: unknown, path: string): T => {
    const parsed = shape.safeParse(answer);
    if (parsed.success) return parsed.data;
    const message = `GitHub's answer to ${path} was not understood`;
    throw new GitHubError({ kind: "unavailable", message });
  };
  return {
    /** All pages of a list. */
    async list<T>(path: string, field: string, shape: z.ZodType<T>): Promise<readonly T[]> {
      const found: T[] = [];
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const answer = await transport.rest("GET", `${base}${path}&per_page=100&page=${page}`);
        const counted = z.object({ total_count: z.int(), [field]: z.array(shape) });
        const data = understood(counted, answer, path) as Record<string, unknown>;
        found.push(...(data[field] as T[]));
        if (found.length >= (data["total_count"] as number)) return found;
      }
      const message = `${path} has more than ${MOST_PAGES * 100} entries`;
      throw new GitHubError({ kind: "unavailable", message });
    },
    /** `checkRunUrl` as GitHub gives it: only its id is used, so that nothing else is asked. */
    async annotations(checkRunUrl: string): Promise<readonly string[]> {
      const id = /\/check-runs\/(\d+)$/.exec(checkRunUrl)?.[1];
      if (id === undefined) return [];
      const path = `/check-runs/${id}/annotations`;
      const answer = await transport.rest("GET", `${base}${path}?per_page=50`);
      return understood(annotationsShape, answer, path).flatMap(({ message }) => message ?? []);
    },
  };
}
