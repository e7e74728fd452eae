/** Check suites, check runs and commit statuses: reading them, and reports by Apps and people. */
import { announceCheckRun, announceCheckSuite } from "./announce-check.js";
import { announceStatus } from "./announce-repository.js";
import { checkRunsAt, statusesAt } from "./by-commit.js";
import type { Engine } from "./engine.js";
import type { CheckRun, CheckSuite, CommitStatus, Repository } from "./model.js";
import { nodeId } from "./node-ids.js";
import { linksOf } from "./payloads/links.js";
import { notFound, unprocessable } from "./refusal.js";
import type { ReportCheckRun, ReportStatus, UpdateCheckRun } from "./requests.js";
import type { RepositoryState } from "./state.js";
import { stirHeadsAt } from "./stirring.js";
import { suiteStatus } from "./suite.js";

/** Limits of github-facts 2.3. */
const STATUSES_PER_CONTEXT = 1000;
const DESCRIPTION_LENGTH = 140;

export function runsOf(state: RepositoryState, sha: string): CheckRun[] {
  return [...checkRunsAt(state, sha)].reverse();
}

export function runById(state: RepositoryState, id: number): CheckRun | null {
  return state.checkRuns.find((run) => run.id === id) ?? null;
}

export function suitesOf(state: RepositoryState, sha: string): CheckSuite[] {
  return state.checkSuites.filter((suite) => suite.headSha === sha).reverse();
}

export function suiteById(state: RepositoryState, id: number): CheckSuite | null {
  return state.checkSuites.find((suite) => suite.id === id) ?? null;
}

export function statusesOf(state: RepositoryState, sha: string): CommitStatus[] {
  return [...statusesAt(state, sha)].reverse();
}

export function addSuite(
  engine: Engine,
  state: RepositoryState,
  ask: Pick<CheckSuite, "appId" | "headSha" | "headBranch" | "runId">,
): CheckSuite {
  const id = engine.nextId();
  const now = engine.stamp();
  const suite: CheckSuite = {
    id,
    nodeId: nodeId("CS", state.repository.id, id),
    ...ask,
    createdAt: now,
    updatedAt: now,
  };
  state.checkSuites.push(suite);
  return suite;
}

/** Adds a check run and tells the subscribers; reports its completion too when it is complete. */
export async function addCheckRun(
  engine: Engine,
  state: RepositoryState,
  suite: CheckSuite,
  ask: Omit<ReportCheckRun, "headSha" | "appId"> & { readonly jobId?: number },
): Promise<CheckRun> {
  const id = engine.nextId();
  const status = ask.status ?? (ask.conclusion == null ? "queued" : "completed");
  const now = engine.stamp();
  const run: CheckRun = {
    id,
    nodeId: nodeId("CR", state.repository.id, id),
    name: ask.name,
    headSha: suite.headSha,
    appId: suite.appId,
    suiteId: suite.id,
    status,
    conclusion: status === "completed" ? (ask.conclusion ?? null) : null,
    startedAt: status === "queued" ? null : now,
    completedAt: status === "completed" ? now : null,
    detailsUrl: ask.detailsUrl ?? `${linksOf(engine, state.repository).html}/runs/${id}`,
    jobId: ask.jobId ?? null,
    output: outputOf(ask.output),
    annotations: [...(ask.annotations ?? [])],
  };
  state.checkRuns.push(run);
  await announceCheckRun(engine, state, run, "created");
  if (status === "completed") await completed(engine, state, run);
  else stirHeadsAt(state, run.headSha);
  return run;
}

/** After a run has its conclusion: its webhook, the suite's, and what waits for it. */
export async function completed(
  engine: Engine,
  state: RepositoryState,
  run: CheckRun,
): Promise<void> {
  await announceCheckRun(engine, state, run, "completed");
  const suite = suiteById(state, run.suiteId);
  if (suite !== null) {
    suite.updatedAt = engine.stamp();
    if (suiteStatus(state, suite) === "completed") await announceCheckSuite(engine, state, suite);
  }
  stirHeadsAt(state, run.headSha);
}

/** A check by an App, in its suite of that commit. @throws Refusal for an unknown commit. */
export async function createCheckRun(
  engine: Engine,
  repository: Repository,
  ask: ReportCheckRun,
): Promise<CheckRun> {
  const state = engine.repositoryState(repository);
  await requireCommit(engine, repository, ask.headSha);
  const known = state.checkSuites.findLast(
    (suite) => suite.appId === ask.appId && suite.headSha === ask.headSha && suite.runId === null,
  );
  const suite =
    known ??
    addSuite(engine, state, {
      appId: ask.appId,
      headSha: ask.headSha,
      headBranch: await branchAt(engine, repository, ask.headSha),
      runId: null,
    });
  return addCheckRun(engine, state, suite, ask);
}

/** @throws Refusal for an unknown run. */
export async function updateCheckRun(
  engine: Engine,
  repository: Repository,
  id: number,
  ask: UpdateCheckRun,
): Promise<CheckRun> {
  const state = engine.repositoryState(repository);
  const run = runById(state, id);
  if (run === null) throw notFound(`a check run with the id ${id}`);
  const now = engine.stamp();
  const wasComplete = run.status === "completed";
  run.name = ask.name ?? run.name;
  run.detailsUrl = ask.detailsUrl ?? run.detailsUrl;
  if (ask.output !== undefined) run.output = outputOf(ask.output);
  run.annotations.push(...(ask.annotations ?? []));
  run.status = ask.status ?? (ask.conclusion == null ? run.status : "completed");
  if (run.status !== "queued") run.startedAt ??= now;
  if (run.status === "completed") {
    run.conclusion = ask.conclusion ?? run.conclusion;
    run.completedAt ??= now;
    if (!wasComplete || ask.conclusion !== undefined) await completed(engine, state, run);
  } else {
    run.conclusion = null;
    run.completedAt = null;
    stirHeadsAt(state, run.headSha);
  }
  return run;
}

export async function createStatus(
  engine: Engine,
  repository: Repository,
  ask: ReportStatus,
): Promise<CommitStatus> {
  const state = engine.repositoryState(repository);
  await requireCommit(engine, repository, ask.sha);
  const context = ask.context ?? "default";
  const earlier = statusesAt(state, ask.sha).filter((one) => one.context === context);
  if (earlier.length >= STATUSES_PER_CONTEXT)
    throw unprocessable("This SHA and context has reached the maximum number of statuses.");
  if ((ask.description ?? "").length > DESCRIPTION_LENGTH)
    throw unprocessable(`description is too long (maximum is ${DESCRIPTION_LENGTH} characters)`);
  const id = engine.nextId();
  const status: CommitStatus = {
    id,
    nodeId: nodeId("SC", repository.id, id),
    sha: ask.sha,
    context,
    state: ask.state,
    description: ask.description ?? null,
    targetUrl: ask.targetUrl ?? null,
    creator: ask.creator,
    appId: ask.appId ?? null,
    createdAt: engine.stamp(),
  };
  state.statuses.push(status);
  await announceStatus(engine, state, status);
  stirHeadsAt(state, ask.sha);
  return status;
}

async function requireCommit(engine: Engine, repository: Repository, sha: string): Promise<void> {
  if ((await engine.git(repository).resolve(sha)) !== sha)
    throw unprocessable(`No commit found for SHA: ${sha}`);
}

async function branchAt(engine: Engine, repository: Repository, sha: string): Promise<string> {
  const refs = await engine.git(repository).refs("refs/heads/");
  const found = refs.find((ref) => ref.sha === sha);
  return found?.name.slice("refs/heads/".length) ?? repository.defaultBranch;
}

function outputOf(output: ReportCheckRun["output"]): CheckRun["output"] {
  return {
    title: output?.title ?? null,
    summary: output?.summary ?? null,
    text: output?.text ?? null,
  };
}
