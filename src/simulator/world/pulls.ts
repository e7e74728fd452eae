/** Opening, editing, reviewing, closing and reopening pull requests. */
import { startRuns } from "./actions.js";
import { emailOf } from "./actors.js";
import { announcePullRequest } from "./announce-pull-request.js";
import { branchMoved } from "./branch-moved.js";
import { closePullRequest } from "./closing.js";
import type { Engine } from "./engine.js";
import { writeHeadRef } from "./head-ref.js";
import type { Actor, PullRequest, Repository } from "./model.js";
import { nodeId } from "./node-ids.js";
import { requirePullRequest } from "./pull-request-of.js";
import { leaveQueue } from "./queue.js";
import { unprocessable } from "./refusal.js";
import type { CreatePullRequest, EditPullRequest } from "./requests.js";
import type { RepositoryState } from "./state.js";
import { stir } from "./stirring.js";
import { record, touched } from "./timeline.js";
import { turnOff } from "./turn-off.js";

export function find(engine: Engine, repository: Repository, number: number): PullRequest | null {
  const { pullRequests } = engine.repositoryState(repository);
  return pullRequests.find((one) => one.number === number) ?? null;
}

/** @throws Refusal UNPROCESSABLE for a missing branch, a pair already open, or nothing to merge. */
export async function create(
  engine: Engine,
  repository: Repository,
  ask: CreatePullRequest,
): Promise<PullRequest> {
  const state = engine.repositoryState(repository);
  const own = `${repository.owner}/${repository.name}`;
  const headRepository = ask.headRepository ?? own;
  const source = sourceOf(engine, headRepository);
  const headSha = await engine.git(source.repository).branch(ask.head);
  if (headSha === null) throw unprocessable(`Head sha can't be blank: no branch '${ask.head}'`);
  const baseSha = await engine.git(repository).branch(ask.base);
  if (baseSha === null) throw unprocessable(`Base sha can't be blank: no branch '${ask.base}'`);
  const twin = state.pullRequests.some(
    (one) =>
      one.state === "OPEN" &&
      one.headBranch === ask.head &&
      one.headRepository === headRepository &&
      one.baseBranch === ask.base,
  );
  if (twin)
    throw unprocessable(
      `A pull request already exists for ${source.repository.owner}:${ask.head}.`,
    );
  const now = engine.stamp();
  const number = state.repository.nextNumber++;
  const pullRequest: PullRequest = {
    id: engine.nextId(),
    nodeId: nodeId("PR", repository.id, number),
    number,
    title: ask.title,
    body: ask.body ?? "",
    author: ask.actor,
    state: "OPEN",
    isDraft: ask.draft ?? false,
    headBranch: ask.head,
    headSha,
    headBranchExists: true,
    headRepository,
    maintainerCanModify: ask.maintainerCanModify ?? headRepository !== own,
    baseBranch: ask.base,
    baseSha,
    baseDeleted: false,
    approvals: [],
    autoMerge: null,
    mergeCommit: null,
    mergedAt: null,
    mergedBy: null,
    closedAt: null,
    createdAt: now,
    updatedAt: now,
    timeline: [],
  };
  await writeHeadRef(engine, state, source, pullRequest);
  const git = engine.git(repository);
  if ((await git.aheadBehind(baseSha, headSha)).ahead === 0) {
    await git.run(["update-ref", "-d", `refs/pull/${number}/head`]);
    throw unprocessable(`No commits between ${ask.base} and ${ask.head}`);
  }
  state.pullRequests.push(pullRequest);
  touched(engine, state, pullRequest);
  await announcePullRequest(engine, state, pullRequest, "opened", ask.actor);
  await startPullRequestRuns(engine, state, pullRequest, ask.actor);
  return pullRequest;
}

function sourceOf(engine: Engine, fullName: string): RepositoryState {
  const found = engine.state.repositories.find(
    ({ repository }) =>
      !repository.deleted && `${repository.owner}/${repository.name}` === fullName,
  );
  if (found === undefined) throw unprocessable(`Head repository '${fullName}' is not there`);
  return found;
}

async function startPullRequestRuns(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  actor: Actor,
): Promise<void> {
  await startRuns(engine, state, {
    event: "pull_request",
    branch: pullRequest.headBranch,
    sha: pullRequest.headSha,
    actor,
    pullRequest: pullRequest.number,
  });
}

/** A new base turns auto-merge off and takes it out of the queue. @throws Refusal UNPROCESSABLE. */
export async function edit(
  engine: Engine,
  repository: Repository,
  number: number,
  ask: EditPullRequest,
): Promise<PullRequest> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  const changes: Record<string, unknown> = {};
  if (ask.title !== undefined && ask.title !== pullRequest.title) {
    changes["title"] = { from: pullRequest.title };
    pullRequest.title = ask.title;
  }
  if (ask.body !== undefined && ask.body !== pullRequest.body) {
    changes["body"] = { from: pullRequest.body };
    pullRequest.body = ask.body;
  }
  if (ask.base !== undefined && ask.base !== pullRequest.baseBranch) {
    changes["base"] = {
      ref: { from: pullRequest.baseBranch },
      sha: { from: pullRequest.baseSha },
    };
    await changeBase(engine, state, pullRequest, ask.base, ask.actor);
  }
  touched(engine, state, pullRequest);
  await announcePullRequest(engine, state, pullRequest, "edited", ask.actor, { changes });
  return pullRequest;
}

async function changeBase(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  base: string,
  actor: Actor,
): Promise<void> {
  if (pullRequest.state !== "OPEN")
    throw unprocessable("Cannot change the base branch of a closed pull request.");
  const sha = await engine.git(state.repository).branch(base);
  if (sha === null) throw unprocessable(`Proposed base branch '${base}' was not found`);
  await leaveQueue(engine, state, pullRequest, "UNKNOWN_REMOVAL_REASON");
  const previous = pullRequest.baseBranch;
  pullRequest.baseBranch = base;
  pullRequest.baseSha = sha;
  record(engine, state, pullRequest, actor, {
    type: "BaseRefChangedEvent",
    previous,
    current: base,
  });
  await turnOff(engine, state, pullRequest, {
    actor,
    reason: "Base branch was changed",
    code: "BASE_REF_CHANGED",
  });
}

/** @throws Refusal UNPROCESSABLE when it is not open. */
export async function closeByActor(
  engine: Engine,
  repository: Repository,
  number: number,
  actor: Actor,
): Promise<PullRequest> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  if (pullRequest.state !== "OPEN") throw unprocessable("Pull request is already closed.");
  await closePullRequest(engine, state, pullRequest, actor, "MANUAL");
  return pullRequest;
}

/** @throws Refusal UNPROCESSABLE when merged, or when its head or base is gone (A23). */
export async function reopen(
  engine: Engine,
  repository: Repository,
  number: number,
  actor: Actor,
): Promise<PullRequest> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  const baseSha = await engine.git(repository).branch(pullRequest.baseBranch);
  if (pullRequest.state !== "CLOSED") throw unprocessable("Pull request is not closed.");
  if (pullRequest.baseDeleted || baseSha === null)
    throw unprocessable("state cannot be changed. The base branch has been deleted.");
  if (!pullRequest.headBranchExists)
    throw unprocessable("state cannot be changed. The head branch has been deleted.");
  pullRequest.state = "OPEN";
  pullRequest.closedAt = null;
  pullRequest.baseSha = baseSha;
  record(engine, state, pullRequest, actor, { type: "ReopenedEvent" });
  await announcePullRequest(engine, state, pullRequest, "reopened", actor);
  await startPullRequestRuns(engine, state, pullRequest, actor);
  return pullRequest;
}

/** Ready for review stirs auto-merge; a draft leaves the queue. */
export async function setDraft(
  engine: Engine,
  repository: Repository,
  number: number,
  draft: boolean,
  actor: Actor,
): Promise<PullRequest> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  if (pullRequest.isDraft === draft) return pullRequest;
  pullRequest.isDraft = draft;
  touched(engine, state, pullRequest);
  if (draft) await leaveQueue(engine, state, pullRequest, "BRANCH_PROTECTIONS");
  else stir(state, pullRequest);
  const action = draft ? "converted_to_draft" : "ready_for_review";
  await announcePullRequest(engine, state, pullRequest, action, actor);
  return pullRequest;
}

export function approve(
  engine: Engine,
  repository: Repository,
  number: number,
  actor: Actor,
): PullRequest {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  if (actor.login === pullRequest.author.login)
    throw unprocessable("Can not approve your own pull request");
  pullRequest.approvals.push({
    login: actor.login,
    sha: pullRequest.headSha,
    at: engine.stamp(),
  });
  touched(engine, state, pullRequest);
  stir(state, pullRequest);
  return pullRequest;
}

/** @throws Refusal UNPROCESSABLE when the head moved, is up to date, conflicts, or is a fork's. */
export async function updateBranch(
  engine: Engine,
  repository: Repository,
  number: number,
  ask: { readonly expectedHeadOid?: string; readonly actor: Actor },
): Promise<string> {
  const { state, pullRequest } = requirePullRequest(engine, repository, number);
  const before = pullRequest.headSha;
  if (ask.expectedHeadOid !== undefined && ask.expectedHeadOid !== before)
    throw unprocessable("expected head sha didn't match current head ref.");
  if (pullRequest.headRepository !== `${repository.owner}/${repository.name}`)
    throw unprocessable("The head branch of a fork cannot be updated here.");
  const git = engine.git(repository);
  if (await git.isAncestor(pullRequest.baseSha, before))
    throw unprocessable("There are no new commits on the base branch.");
  const tree = await engine.mergeTrees.tree(git, before, pullRequest.baseSha);
  if (tree === null) throw unprocessable("merge conflict between base and head");
  const after = await git.commitTree({
    tree,
    parents: [before, pullRequest.baseSha],
    message: `Merge branch '${pullRequest.baseBranch}' into ${pullRequest.headBranch}\n`,
    author: { name: ask.actor.login, email: emailOf(ask.actor) },
    at: engine.now(),
  });
  const ref = `refs/heads/${pullRequest.headBranch}`;
  if (!(await git.updateRef(ref, after, before)))
    throw unprocessable("expected head sha didn't match current head ref.");
  await branchMoved(engine, state, { ref, before, after }, ask.actor);
  return after;
}
