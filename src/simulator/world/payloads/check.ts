/** Checks as webhooks carry them. */
import { ACTIONS_BOT } from "../actors.js";
import { checkRunsAt } from "../by-commit.js";
import type { Engine } from "../engine.js";
import type { CheckRun, CheckSuite } from "../model.js";
import { nodeId } from "../node-ids.js";
import { ACTIONS_APP_ID } from "../options.js";
import type { RepositoryState } from "../state.js";
import { suiteConclusion, suiteStatus } from "../suite.js";
import { userPayload } from "./account.js";
import { linksOf, seconds } from "./links.js";
import { minimalPullRequests } from "./pull-request.js";

const EPOCH = "2018-01-01T00:00:00Z";

/** `integration`: the App a check belongs to. */
export function appPayload(
  engine: Engine,
  state: RepositoryState,
  appId: number,
): Record<string, unknown> {
  const links = linksOf(engine, state.repository);
  const app = engine.state.apps.find((one) => one.id === appId);
  const slug = app?.slug ?? (appId === ACTIONS_APP_ID ? "github-actions" : `app-${appId}`);
  return {
    id: appId,
    slug,
    node_id: nodeId("A", appId),
    owner: userPayload(links, ACTIONS_BOT),
    name: app?.name ?? (appId === ACTIONS_APP_ID ? "GitHub Actions" : slug),
    description: "",
    external_url: `${engine.baseUrl}/apps/${slug}`,
    html_url: `${engine.baseUrl}/apps/${slug}`,
    created_at: app === undefined ? EPOCH : seconds(app.createdAt),
    updated_at: app === undefined ? EPOCH : seconds(app.createdAt),
    permissions: app?.permissions ?? { checks: "write", metadata: "read" },
    events: app?.events ?? [],
  };
}

export function checkRunPayload(
  engine: Engine,
  state: RepositoryState,
  run: CheckRun,
): Record<string, unknown> {
  const links = linksOf(engine, state.repository);
  const suite = state.checkSuites.find((one) => one.id === run.suiteId);
  const url = `${links.api}/check-runs/${run.id}`;
  return {
    id: run.id,
    node_id: run.nodeId,
    name: run.name,
    head_sha: run.headSha,
    external_id: run.jobId === null ? "" : String(run.jobId),
    url,
    html_url: run.detailsUrl,
    details_url: run.detailsUrl,
    status: run.status,
    conclusion: run.conclusion,
    // The schema wants a time even of a run that still waits.
    started_at: seconds(run.startedAt ?? suite?.createdAt ?? engine.stamp()),
    completed_at: seconds(run.completedAt),
    output: {
      ...run.output,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: suite === undefined ? { id: run.suiteId } : suiteInside(engine, state, suite),
    app: appPayload(engine, state, run.appId),
    pull_requests: minimalPullRequests(engine, state, run.headSha),
  };
}

function suiteInside(
  engine: Engine,
  state: RepositoryState,
  suite: CheckSuite,
): Record<string, unknown> {
  return {
    id: suite.id,
    node_id: suite.nodeId,
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    status: suiteStatus(state, suite),
    conclusion: suiteConclusion(state, suite),
    url: `${linksOf(engine, state.repository).api}/check-suites/${suite.id}`,
    before: null,
    after: suite.headSha,
    pull_requests: minimalPullRequests(engine, state, suite.headSha),
    app: appPayload(engine, state, suite.appId),
    created_at: seconds(suite.createdAt),
    updated_at: seconds(suite.updatedAt),
  };
}

export function checkSuitePayload(
  engine: Engine,
  state: RepositoryState,
  suite: CheckSuite,
  headCommit: Record<string, unknown>,
): Record<string, unknown> {
  return {
    ...suiteInside(engine, state, suite),
    latest_check_runs_count: checkRunsAt(state, suite.headSha).filter(
      (run) => run.suiteId === suite.id,
    ).length,
    check_runs_url: `${linksOf(engine, state.repository).api}/check-suites/${suite.id}/check-runs`,
    head_commit: headCommit,
  };
}
