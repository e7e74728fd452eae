/** A repository for people: its pull requests, its queues and its runs. */
import type { PullRequest, QueueEntryView, Repository, WorkflowRun } from "../../world/model.js";
import { seconds } from "../../world/payloads/links.js";
import type { ServedWorld } from "../served-world.js";
import { documentOf, type Markup, markup, table } from "./html.js";

const RUNS_SHOWN = 50;

export function repositoryPage(world: ServedWorld, repository: Repository): string {
  const { owner, name } = repository;
  const pullRequests = [...world.pullRequests(repository)].reverse();
  const open = pullRequests.filter(({ state }) => state === "OPEN");
  const done = pullRequests.filter(({ state }) => state !== "OPEN");
  const clone = `${world.baseUrl}/${owner}/${name}.git`;
  return documentOf(
    `${owner}/${name}`,
    markup`<p>Default branch <code>${repository.defaultBranch}</code>. <code>git clone ${clone}</code></p>
${queues(world, repository)}
<h2 id="pull-requests">Open pull requests</h2>
${pullRequestTable(repository, open)}
<h2>Closed pull requests</h2>
${pullRequestTable(repository, done)}
<h2 id="runs">Runs</h2>
${runTable(world.workflowRuns(repository).slice(0, RUNS_SHOWN))}`,
  );
}

function queues(world: ServedWorld, repository: Repository): Markup {
  const bases = new Set([
    repository.defaultBranch,
    ...world.pullRequests(repository).map(({ baseBranch }) => baseBranch),
  ]);
  const found = [...bases].flatMap((branch) => {
    const view = world.queue(repository, branch);
    if (view === null) return [];
    return markup`<h2 id="queue-${branch}">Merge queue of ${branch}</h2>
${entryTable(world, repository, view.entries)}`;
  });
  return markup`${found}`;
}

function entryTable(
  world: ServedWorld,
  repository: Repository,
  entries: readonly QueueEntryView[],
): Markup {
  return table(
    ["Position", "Pull request", "State", "Queued", "Group"],
    entries.map((entry) => [
      String(entry.position),
      pullRequestLink(repository, world.pullRequest(repository, entry.pullRequest)),
      entry.state,
      seconds(entry.enqueuedAt),
      entry.group === null ? "not built" : code(entry.group.headSha),
    ]),
  );
}

function pullRequestTable(repository: Repository, pullRequests: readonly PullRequest[]): Markup {
  return table(
    ["Pull request", "State", "Head", "Base", "Merge when ready", "Updated"],
    pullRequests.map((one) => [
      pullRequestLink(repository, one),
      one.isDraft ? "DRAFT" : one.state,
      markup`${one.headBranch} ${code(one.headSha)}`,
      one.baseBranch,
      one.autoMerge === null ? "no" : "armed",
      seconds(one.updatedAt),
    ]),
  );
}

function runTable(runs: readonly WorkflowRun[]): Markup {
  return table(
    ["Run", "Event", "Branch", "Commit", "Attempt", "Status", "Jobs"],
    runs.map((run) => [
      markup`<span id="run-${run.id}">${run.workflow} #${run.runNumber}</span>`,
      run.event,
      run.headBranch,
      code(run.headSha),
      String(run.attempt),
      run.conclusion ?? run.status,
      run.jobs
        .filter(({ attempt }) => attempt === run.attempt)
        .map((job) => `${job.name}: ${job.conclusion ?? job.status}`)
        .join(", "),
    ]),
  );
}

export function pullRequestPage(
  world: ServedWorld,
  repository: Repository,
  pullRequest: PullRequest,
): string {
  const { number, title } = pullRequest;
  const entry = world.pullRequestView(repository, number)?.entry ?? null;
  const checks = world.checkRuns(repository, pullRequest.headSha);
  return documentOf(
    `#${number} ${title}`,
    markup`<p><a href="/${repository.owner}/${repository.name}">${repository.owner}/${repository.name}</a>:
${pullRequest.headBranch} into ${pullRequest.baseBranch}, ${pullRequest.state.toLowerCase()}${entry === null ? "" : `, position ${entry.position} in the merge queue (${entry.state})`}.
Head ${code(pullRequest.headSha)}${pullRequest.mergeCommit === null ? "" : markup`, landed as ${code(pullRequest.mergeCommit)}`}</p>
<h2>Checks of the head</h2>
${table(
  ["Check", "Status", "Ended"],
  checks.map((run) => [run.name, run.conclusion ?? run.status, seconds(run.completedAt) ?? ""]),
)}
<h2>Timeline</h2>
${table(
  ["Time", "Event", "By", "Reason"],
  pullRequest.timeline.map((event) => [
    seconds(event.createdAt),
    event.type.replace(/Event$/, ""),
    event.actor.login,
    "reason" in event ? event.reason : "",
  ]),
)}`,
  );
}

export function indexPage(world: ServedWorld): string {
  const rows = world
    .repositories()
    .map((one) => [
      markup`<a href="/${one.owner}/${one.name}">${one.owner}/${one.name}</a>`,
      one.private ? "private" : "public",
      String(world.pullRequests(one).filter(({ state }) => state === "OPEN").length),
    ]);
  return documentOf(
    "Simulated GitHub",
    markup`${table(["Repository", "Visibility", "Open pull requests"], rows)}`,
  );
}

function pullRequestLink(repository: Repository, pullRequest: PullRequest | null): Markup {
  if (pullRequest === null) return markup``;
  const { number, title } = pullRequest;
  return markup`<a href="/${repository.owner}/${repository.name}/pull/${number}">#${number} ${title}</a>`;
}

function code(sha: string): Markup {
  return markup`<code>${sha.slice(0, 10)}</code>`;
}
