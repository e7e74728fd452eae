/** Consequences of a branch that was made, moved or deleted: pushes, runs, pull requests. */
import { startRuns } from "./actions.js";
import { announcePush } from "./announce-repository.js";
import type { Engine } from "./engine.js";
import { ZERO_OID } from "./git.js";
import { headDeleted, headMoved } from "./head-branch.js";
import type { Actor, RefUpdate } from "./model.js";
import { baseDeleted, baseMoved } from "./base-branch.js";
import type { RepositoryState } from "./state.js";

export async function branchMoved(
  engine: Engine,
  state: RepositoryState,
  update: RefUpdate,
  actor: Actor,
): Promise<void> {
  await announcePush(engine, state, update, actor);
  if (!update.ref.startsWith("refs/heads/")) return;
  const branch = update.ref.slice("refs/heads/".length);
  if (update.after === ZERO_OID) {
    await headDeleted(engine, state, branch, actor);
    await baseDeleted(engine, state, branch, actor);
    return;
  }
  await headMoved(engine, state, branch, update, actor);
  await baseMoved(engine, state, branch, update, actor);
  await startRuns(engine, state, {
    event: "push",
    branch,
    sha: update.after,
    actor,
    pullRequest: null,
  });
}
