/** Check runs, suites, statuses, and the Apps and workflows behind them. */
import type { CheckRun as RunModel, PullRequest, Repository } from "../../../world/model.js";
import { appPayload } from "../../../world/payloads/check.js";
import { seconds } from "../../../world/payloads/links.js";
import { nodeId } from "../../../world/node-ids.js";
import { suiteConclusion, suiteStatus } from "../../../world/suite.js";
import { connection, type PageArgs } from "../connection.js";
import type { GraphqlContext } from "../context.js";
import { TypedError } from "../errors.js";
import { type Fields, Plain } from "../fields.js";
import {
  actorSource,
  type AnnotationSource,
  type CheckRunSource,
  type CheckSuiteSource,
  commitSource,
  pullRequestSource,
  type StatusContextSource,
  type WorkflowRunSource,
  type WorkflowSource,
} from "../sources.js";
import { page, resourcePath } from "./links.js";
import { conclusionWord, statusWord } from "./words.js";

interface RequiredArgs {
  readonly pullRequestId?: string | null;
  readonly pullRequestNumber?: number | null;
}

/** Whether the rules of the pull request's base name this report, by its source too. */
function isRequired(
  { world }: GraphqlContext,
  repository: Repository,
  args: RequiredArgs,
  report: { readonly name: string; readonly appId: number | null },
): boolean {
  const pullRequest = askedPullRequest(world, repository, args);
  return world
    .branchRules(repository, pullRequest.baseBranch)
    .requiredChecks.some(
      ({ context, integrationId }) =>
        context === report.name && (integrationId === null || integrationId === report.appId),
    );
}

function askedPullRequest(
  world: GraphqlContext["world"],
  repository: Repository,
  { pullRequestId, pullRequestNumber }: RequiredArgs,
): PullRequest {
  const node = pullRequestId == null ? null : world.node(pullRequestId);
  const found =
    node?.kind === "PullRequest"
      ? node.value
      : pullRequestNumber == null
        ? null
        : world.pullRequest(repository, pullRequestNumber);
  if (found === null)
    throw new TypedError(
      "UNPROCESSABLE",
      "Either a pull request id or a pull request number is required.",
    );
  return found;
}

export const CheckRun: Fields<CheckRunSource> = {
  id: ({ run }) => run.nodeId,
  databaseId: ({ run }) => run.id,
  name: ({ run }) => run.name,
  status: ({ run }) => statusWord(run.status),
  conclusion: ({ run }) => conclusionWord(run.conclusion),
  startedAt: ({ run }) => seconds(run.startedAt),
  completedAt: ({ run }) => seconds(run.completedAt),
  detailsUrl: ({ run }) => run.detailsUrl,
  url: ({ run }) => run.detailsUrl,
  permalink: ({ run }) => run.detailsUrl,
  resourcePath: ({ repository, run }) => resourcePath(repository, `/runs/${run.id}`),
  externalId: ({ run }) => (run.jobId === null ? null : String(run.jobId)),
  title: ({ run }) => run.output.title,
  summary: ({ run }) => run.output.summary,
  text: ({ run }) => run.output.text,
  repository: ({ repository }) => ({ __typename: "Repository", repository }),
  checkSuite: ({ repository, run }, _, { world }) => ({
    __typename: "CheckSuite",
    repository,
    suite: world.checkSuite(repository, run.suiteId),
  }),
  isRequired: ({ repository, run }, args: RequiredArgs, context) =>
    isRequired(context, repository, args, run),
  annotations: ({ repository, run }, args: PageArgs) =>
    connection(run.annotations, args, (annotation): AnnotationSource => ({
      __typename: "CheckAnnotation",
      repository,
      annotation,
    })),
  // There are no deployments here.
  deployment: () => null,
  pendingDeploymentRequest: () => null,
};

export const CheckAnnotation: Fields<AnnotationSource> = {
  annotationLevel: ({ annotation }) => annotation.level.toUpperCase(),
  message: ({ annotation }) => annotation.message,
  path: ({ annotation }) => annotation.path,
  location: ({ annotation: { line } }) =>
    new Plain({
      start: new Plain({ line, column: null }),
      end: new Plain({ line, column: null }),
    }),
};

interface RunFilter {
  readonly appId?: number | null;
  readonly checkName?: string | null;
  readonly checkType?: "ALL" | "LATEST" | null;
  readonly conclusions?: readonly string[] | null;
  readonly status?: string | null;
  readonly statuses?: readonly string[] | null;
}

export const CheckSuite: Fields<CheckSuiteSource> = {
  id: ({ suite }) => suite.nodeId,
  databaseId: ({ suite }) => suite.id,
  app: ({ repository, suite }, _, { world }) => app(world, repository, suite.appId),
  branch: async ({ repository, suite }, _, context) => {
    const name = `refs/heads/${suite.headBranch}`;
    const oid = await context.ref(repository, name);
    return oid === null ? null : { __typename: "Ref", repository, name };
  },
  commit: ({ repository, suite }) => commitSource(repository, suite.headSha),
  status: ({ repository, suite }, _, { world }) =>
    statusWord(suiteStatus(world.stateOf(repository), suite)),
  conclusion: ({ repository, suite }, _, { world }) =>
    conclusionWord(suiteConclusion(world.stateOf(repository), suite)),
  createdAt: ({ suite }) => seconds(suite.createdAt),
  updatedAt: ({ suite }) => seconds(suite.updatedAt),
  url: ({ repository, suite }, _, context) =>
    page(context, repository, `/commit/${suite.headSha}/checks?check_suite_id=${suite.id}`),
  repository: ({ repository }) => ({ __typename: "Repository", repository }),
  workflowRun: ({ repository, suite }, _, { world }) => {
    const run = suite.runId === null ? null : world.workflowRun(repository, suite.runId);
    return run === null ? null : { __typename: "WorkflowRun", repository, run };
  },
  checkRuns: (
    { repository, suite },
    args: PageArgs & { filterBy?: RunFilter | null },
    { world },
  ) => {
    const runs = world
      .checkRuns(repository, suite.headSha)
      .filter((run) => run.suiteId === suite.id);
    return connection(filtered(runs, args.filterBy ?? {}), args, (run): CheckRunSource => ({
      __typename: "CheckRun",
      repository,
      run,
    }));
  },
  matchingPullRequests: ({ repository, suite }, args: PageArgs, context) => {
    const found = context.world
      .pullRequests(repository)
      .filter((one) => one.headSha === suite.headSha);
    return connection(found, args, ({ number }) =>
      pullRequestSource(repository, context.view(repository, number)),
    );
  },
};

/** `runs` come newest first. */
function filtered(runs: readonly RunModel[], filter: RunFilter): RunModel[] {
  const seen = new Set<string>();
  const latest = (run: RunModel): boolean => {
    const isFirst = !seen.has(run.name);
    seen.add(run.name);
    return isFirst;
  };
  return runs
    .filter((run) => filter.checkType !== "LATEST" || latest(run))
    .filter(
      (run) =>
        (filter.appId == null || filter.appId === run.appId) &&
        (filter.checkName == null || filter.checkName === run.name) &&
        (filter.status == null || filter.status === statusWord(run.status)) &&
        (filter.statuses == null || filter.statuses.includes(statusWord(run.status))) &&
        (filter.conclusions == null ||
          filter.conclusions.includes(conclusionWord(run.conclusion) ?? "")),
    );
}

function app(world: GraphqlContext["world"], repository: Repository, id: number): Plain {
  const payload = appPayload(world.insides, world.stateOf(repository), id);
  return new Plain({
    id: nodeId("A", id),
    databaseId: id,
    name: payload["name"],
    slug: payload["slug"],
    url: payload["html_url"],
    createdAt: payload["created_at"],
    updatedAt: payload["updated_at"],
  });
}

export const StatusContext: Fields<StatusContextSource> = {
  id: ({ status }) => status.nodeId,
  context: ({ status }) => status.context,
  state: ({ status }) => status.state.toUpperCase(),
  description: ({ status }) => status.description,
  targetUrl: ({ status }) => status.targetUrl,
  creator: ({ status }) => actorSource(status.creator),
  createdAt: ({ status }) => seconds(status.createdAt),
  commit: ({ repository, status }) => commitSource(repository, status.sha),
  isRequired: ({ repository, status }, args: RequiredArgs, context) =>
    isRequired(context, repository, args, { name: status.context, appId: status.appId }),
};

export const WorkflowRun: Fields<WorkflowRunSource> = {
  id: ({ run }) => run.nodeId,
  databaseId: ({ run }) => run.id,
  event: ({ run }) => run.event,
  runNumber: ({ run }) => run.runNumber,
  createdAt: ({ run }) => seconds(run.createdAt),
  updatedAt: ({ run }) => seconds(run.updatedAt),
  url: ({ repository, run }, _, context) => page(context, repository, `/actions/runs/${run.id}`),
  resourcePath: ({ repository, run }) => resourcePath(repository, `/actions/runs/${run.id}`),
  workflow: ({ repository, run }, _, { world }) => ({
    __typename: "Workflow",
    repository,
    workflow: world.workflows(repository).find((one) => one.id === run.workflowId),
  }),
  checkSuite: ({ repository, run }, _, { world }) => ({
    __typename: "CheckSuite",
    repository,
    suite: world.checkSuite(repository, run.suiteId),
  }),
};

export const Workflow: Fields<WorkflowSource> = {
  id: ({ workflow }) => workflow.nodeId,
  databaseId: ({ workflow }) => workflow.id,
  name: ({ workflow }) => workflow.script.name,
  state: () => "ACTIVE",
  createdAt: ({ workflow }) => seconds(workflow.createdAt),
  url: ({ repository, workflow }, _, context) =>
    page(context, repository, `/actions/workflows/${workflow.id}`),
  resourcePath: ({ repository, workflow }) =>
    resourcePath(repository, `/actions/workflows/${workflow.id}`),
};
