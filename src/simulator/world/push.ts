/** After `git receive-pack`: the refs have moved, and the world follows. */
import { branchMoved } from "./branch-moved.js";
import type { Engine } from "./engine.js";
import type { Actor, RefUpdate, Repository } from "./model.js";

export async function afterPush(
  engine: Engine,
  repository: Repository,
  updates: readonly RefUpdate[],
  actor: Actor,
): Promise<void> {
  const state = engine.repositoryState(repository);
  for (const update of updates)
    if (update.before !== update.after) await branchMoved(engine, state, update, actor);
}
