/** What a moved or deleted head branch does to its pull requests, of this repository and, for a fork, of others. */
import { startRuns } from "./actions.js";
import { mayWrite } from "./actors.js";
import { announcePullRequest } from "./announce-pull-request.js";
import { announcePush } from "./announce-repository.js";
import { closePullRequest } from "./closing.js";
import type { Engine } from "./engine.js";
import { ZERO_OID } from "./git.js";
import type { Actor, PullRequest, RefUpdate } from "./model.js";
import { writeHeadRef } from "./head-ref.js";
import { entryOf, leaveQueue } from "./queue.js";
import type { RepositoryState } from "./state.js";
import { stir } from "./stirring.js";
import { record, touched } from "./timeline.js";
import { turnOff } from "./turn-off.js";

interface Headed {
  readonly home: RepositoryState;
  readonly pullRequest: PullRequest;
}

function headedBy(engine: Engine, state: RepositoryState, branch: string): Headed[] {
  const full = `${state.repository.owner}/${state.repository.name}`;
  return engine.state.repositories
    .filter((home) => !home.repository.deleted)
    .flatMap((home) =>
      home.pullRequests
        .filter((one) => one.headBranch === branch && one.headRepository === full)
        .map((pullRequest) => ({ home, pullRequest })),
    );
}

export async function headMoved(
  engine: Engine,
  state: RepositoryState,
  branch: string,
  update: RefUpdate,
  actor: Actor,
): Promise<void> {
  for (const { home, pullRequest } of headedBy(engine, state, branch)) {
    pullRequest.headBranchExists = true;
    engine.changed(home, pullRequest);
    if (pullRequest.state === "OPEN" && pullRequest.headSha !== update.after)
      await synchronize(engine, state, { home, pullRequest }, update.after, actor);
  }
}

async function synchronize(
  engine: Engine,
  source: RepositoryState,
  { home, pullRequest }: Headed,
  after: string,
  actor: Actor,
): Promise<void> {
  const before = pullRequest.headSha;
  pullRequest.headSha = after;
  await writeHeadRef(engine, home, source, pullRequest);
  touched(engine, home, pullRequest);
  const forced = !(await engine.git(home.repository).isAncestor(before, after));
  if (forced)
    record(engine, home, pullRequest, actor, { type: "HeadRefForcePushedEvent", before, after });
  const { autoMergeOffOnForcePush, pushToQueuedHead } = home.repository.options;
  if (!mayWrite(engine, actor) || (forced && autoMergeOffOnForcePush))
    await turnOff(engine, home, pullRequest, {
      actor,
      reason: forced
        ? "Head branch was force-pushed"
        : "Head branch was pushed to by a user without write access",
      code: "HEAD_REF_CHANGED",
    });
  if (entryOf(home, pullRequest.number) !== null && pushToQueuedHead === "removes_entry")
    await leaveQueue(engine, home, pullRequest, "UNKNOWN_REMOVAL_REASON");
  await announcePullRequest(engine, home, pullRequest, "synchronize", actor, { before, after });
  await startRuns(engine, home, {
    event: "pull_request",
    branch: pullRequest.headBranch,
    sha: after,
    actor,
    pullRequest: pullRequest.number,
  });
  stir(home, pullRequest);
}

export async function headDeleted(
  engine: Engine,
  state: RepositoryState,
  branch: string,
  actor: Actor,
): Promise<void> {
  for (const { home, pullRequest } of headedBy(engine, state, branch)) {
    if (!pullRequest.headBranchExists) continue;
    pullRequest.headBranchExists = false;
    record(engine, home, pullRequest, actor, { type: "HeadRefDeletedEvent", headRefName: branch });
    if (pullRequest.state === "OPEN")
      await closePullRequest(engine, home, pullRequest, actor, "UNKNOWN_REMOVAL_REASON");
  }
}

/** `deleteBranchOnMerge`: the head of a merged pull request, when it is still where it was merged. */
export async function deleteMergedHead(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
): Promise<void> {
  const own = `${state.repository.owner}/${state.repository.name}`;
  const { headBranch, headSha, mergedBy } = pullRequest;
  if (!state.repository.deleteBranchOnMerge || pullRequest.headRepository !== own) return;
  if (headBranch === state.repository.defaultBranch || mergedBy === null) return;
  const ref = `refs/heads/${headBranch}`;
  if (!(await engine.git(state.repository).updateRef(ref, ZERO_OID, headSha))) return;
  await announcePush(engine, state, { ref, before: headSha, after: ZERO_OID }, mergedBy);
  await headDeleted(engine, state, headBranch, mergedBy);
}
