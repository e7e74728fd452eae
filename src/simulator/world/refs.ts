/** Branches, changed by the admin API or by REST; pushes come through `push.ts`. */
import { ADMIN, emailOf } from "./actors.js";
import { branchMoved } from "./branch-moved.js";
import type { Engine } from "./engine.js";
import { ZERO_OID } from "./git.js";
import type { Actor, Repository } from "./model.js";
import { leaveQueue } from "./queue.js";
import { refusalOf } from "./ref-locks.js";
import { notFound, unprocessable } from "./refusal.js";
import type { CommitFiles } from "./requests.js";
import { record } from "./timeline.js";
import { treeWith } from "./tree-with.js";

export async function commitFiles(
  engine: Engine,
  repository: Repository,
  ask: CommitFiles,
): Promise<string> {
  const state = engine.repositoryState(repository);
  const git = engine.git(repository);
  const actor = ask.actor ?? ADMIN;
  const existing = await git.branch(ask.branch);
  const parent = existing ?? (await git.branch(repository.defaultBranch));
  const after = await git.commitTree({
    tree: await treeWith(git, parent, ask.files),
    parents: parent === null ? [] : [parent],
    message: ask.message,
    author: { name: actor.login, email: emailOf(actor) },
    at: engine.now(),
  });
  await move(engine, repository, ask.branch, existing ?? ZERO_OID, after);
  const update = { ref: `refs/heads/${ask.branch}`, before: existing ?? ZERO_OID, after };
  await branchMoved(engine, state, update, actor);
  return after;
}

export async function createBranch(
  engine: Engine,
  repository: Repository,
  ask: { readonly name: string; readonly at?: string; readonly actor?: Actor },
): Promise<string> {
  const state = engine.repositoryState(repository);
  const git = engine.git(repository);
  const after = await git.resolve(ask.at ?? repository.defaultBranch);
  if (after === null) throw unprocessable("Object does not exist");
  if ((await git.branch(ask.name)) !== null) throw unprocessable("Reference already exists");
  await move(engine, repository, ask.name, ZERO_OID, after);
  const update = { ref: `refs/heads/${ask.name}`, before: ZERO_OID, after };
  await branchMoved(engine, state, update, ask.actor ?? ADMIN);
  return after;
}

/** Also of a queued head: that closes the pull request (A43). @throws Refusal UNPROCESSABLE. */
export async function deleteBranch(
  engine: Engine,
  repository: Repository,
  name: string,
  actor: Actor = ADMIN,
): Promise<void> {
  const state = engine.repositoryState(repository);
  const before = await engine.git(repository).branch(name);
  if (before === null) throw unprocessable("Reference does not exist");
  await move(engine, repository, name, before, ZERO_OID);
  const update = { ref: `refs/heads/${name}`, before, after: ZERO_OID };
  await branchMoved(engine, state, update, actor);
}

export async function updateBranch(
  engine: Engine,
  repository: Repository,
  ask: {
    readonly name: string;
    readonly sha: string;
    readonly force?: boolean;
    readonly actor: Actor;
  },
): Promise<void> {
  const state = engine.repositoryState(repository);
  const git = engine.git(repository);
  const ref = `refs/heads/${ask.name}`;
  const before = await git.branch(ask.name);
  if (before === null) throw unprocessable("Reference does not exist");
  if ((await git.resolve(ask.sha)) === null) throw unprocessable("Object does not exist");
  const refusal = refusalOf(state, ref);
  if (refusal !== null) throw unprocessable(refusal);
  if (ask.force !== true && !(await git.isAncestor(before, ask.sha)))
    throw unprocessable("Update is not a fast forward");
  await move(engine, repository, ask.name, before, ask.sha);
  await branchMoved(engine, state, { ref, before, after: ask.sha }, ask.actor);
}

/**
 * Pull requests into the branch follow it, out of the queue (its rules name the old branch); those from
 * it are closed, as on GitHub.
 */
export async function renameBranch(
  engine: Engine,
  repository: Repository,
  name: string,
  to: string,
): Promise<void> {
  const state = engine.repositoryState(repository);
  const git = engine.git(repository);
  const sha = await git.branch(name);
  if (sha === null) throw notFound(`a branch '${name}'`);
  if ((await git.branch(to)) !== null) throw unprocessable("Reference already exists");
  await move(engine, repository, to, ZERO_OID, sha);
  for (const pullRequest of state.pullRequests) {
    if (pullRequest.state !== "OPEN" || pullRequest.baseBranch !== name) continue;
    await leaveQueue(engine, state, pullRequest, "QUEUE_CLEARED");
    pullRequest.baseBranch = to;
    record(engine, state, pullRequest, ADMIN, {
      type: "BaseRefChangedEvent",
      previous: name,
      current: to,
    });
  }
  if (state.repository.defaultBranch === name) {
    state.repository.defaultBranch = to;
    await git.run(["symbolic-ref", "HEAD", `refs/heads/${to}`]);
  }
  await move(engine, repository, name, sha, ZERO_OID);
  const made = { ref: `refs/heads/${to}`, before: ZERO_OID, after: sha };
  await branchMoved(engine, state, made, ADMIN);
  const gone = { ref: `refs/heads/${name}`, before: sha, after: ZERO_OID };
  await branchMoved(engine, state, gone, ADMIN);
}

/** Compare-and-swap. @throws Refusal UNPROCESSABLE when somebody pushed first, or for a bad name. */
async function move(
  engine: Engine,
  repository: Repository,
  branch: string,
  before: string,
  after: string,
): Promise<void> {
  const git = engine.git(repository);
  if (!(await git.updateRef(`refs/heads/${branch}`, after, before)))
    throw unprocessable(`Reference refs/heads/${branch} could not be updated`);
}
