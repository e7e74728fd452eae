/** Merge groups: one real commit for one entry, on a branch of its own, chained on the entry ahead. */
import { startRuns } from "./actions.js";
import { ACTIONS_BOT, QUEUE_BOT, emailOf } from "./actors.js";
import { announceGroup } from "./announce-pull-request.js";
import { announcePush } from "./announce-repository.js";
import type { Engine } from "./engine.js";
import { ZERO_OID } from "./git.js";
import { rebasedOnto } from "./rebase.js";
import type { MergeMethod, PullRequest, Queue, QueueEntry } from "./model.js";
import type { RepositoryState } from "./state.js";
import { touched } from "./timeline.js";

/** Builds the group of an entry on `onto`. False: it conflicts with what is there. */
export async function buildGroup(
  engine: Engine,
  state: RepositoryState,
  queue: Queue,
  entry: QueueEntry,
  ask: { readonly pullRequest: PullRequest; readonly onto: string; readonly method: MergeMethod },
): Promise<boolean> {
  const { pullRequest, onto } = ask;
  const git = engine.git(state.repository);
  const headSha = await groupCommit(engine, state, {
    pullRequest,
    onto,
    method: ask.method,
    head: entry.headSha,
  });
  if (headSha === null) return false;
  const suffix = state.repository.options.branchNaming === "head" ? entry.headSha : onto;
  const branch = `gh-readonly-queue/${queue.branch}/pr-${entry.pullRequest}-${suffix}`;
  const ref = `refs/heads/${branch}`;
  const before = (await git.branch(branch)) ?? ZERO_OID;
  if (!(await git.updateRef(ref, headSha, before)))
    throw new Error(`the queue branch ${branch} could not be written`);
  entry.group = { headSha, baseSha: onto, branch, builtAt: engine.stamp() };
  entry.state = "AWAITING_CHECKS";
  touched(engine, state, pullRequest);
  await announcePush(engine, state, { ref, before, after: headSha }, QUEUE_BOT);
  await announceGroup(engine, state, queue.branch, entry.group, { action: "checks_requested" });
  // A group enqueued with the Actions token starts no workflow (quirk 7).
  if (entry.enqueuer.login === ACTIONS_BOT.login) return true;
  const trigger = { branch, sha: headSha, actor: QUEUE_BOT, pullRequest: null };
  await startRuns(engine, state, { event: "merge_group", ...trigger });
  await startRuns(engine, state, { event: "push", ...trigger });
  return true;
}

/** Deletes the group of an entry, if any. Its runs go on, as on GitHub (quirk 28). */
export async function destroyGroup(
  engine: Engine,
  state: RepositoryState,
  queue: Queue,
  entry: QueueEntry,
  reason: "merged" | "invalidated" | "dequeued",
): Promise<void> {
  const { group } = entry;
  if (group === null) return;
  entry.group = null;
  entry.state = "QUEUED";
  const ref = `refs/heads/${group.branch}`;
  const git = engine.git(state.repository);
  // Someone with write access may have moved the branch (quirk 8): it goes from wherever it is.
  const before = await git.branch(group.branch);
  if (before !== null) {
    await git.updateRef(ref, ZERO_OID, before);
    await announcePush(engine, state, { ref, before, after: ZERO_OID }, QUEUE_BOT);
  }
  await announceGroup(engine, state, queue.branch, group, { action: "destroyed", reason });
}

/** The commit that would land on `onto`; null when git finds a conflict. */
export async function groupCommit(
  engine: Engine,
  state: RepositoryState,
  ask: {
    readonly pullRequest: PullRequest;
    readonly head: string;
    readonly onto: string;
    readonly method: MergeMethod;
  },
): Promise<string | null> {
  const git = engine.git(state.repository);
  const at = engine.now();
  if (ask.method === "REBASE") return rebasedOnto(git, ask.onto, ask.head, at);
  const tree = await engine.mergeTrees.tree(git, ask.onto, ask.head);
  if (tree === null) return null;
  const { pullRequest } = ask;
  const author = { name: pullRequest.author.login, email: emailOf(pullRequest.author) };
  return ask.method === "MERGE"
    ? git.commitTree({
        tree,
        parents: [ask.onto, ask.head],
        message: `Merge pull request #${pullRequest.number} from ${headLabel(pullRequest)}\n\n${pullRequest.title}\n`,
        author,
        at,
      })
    : git.commitTree({
        tree,
        parents: [ask.onto],
        message: `${pullRequest.title} (#${pullRequest.number})\n${pullRequest.body === "" ? "" : `\n${pullRequest.body}\n`}`,
        author,
        at,
      });
}

function headLabel(pullRequest: PullRequest): string {
  return `${pullRequest.headRepository.split("/")[0] ?? ""}/${pullRequest.headBranch}`;
}
