/** Auto-merge is switched off, by a person or by GitHub (quirk 21). */
import { announcePullRequest } from "./announce-pull-request.js";
import type { Engine } from "./engine.js";
import type { Actor, PullRequest } from "./model.js";
import type { RepositoryState } from "./state.js";
import { record } from "./timeline.js";

/** Does nothing when it is not armed. */
export async function turnOff(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  why: { readonly actor: Actor; readonly reason: string; readonly code: string },
): Promise<void> {
  if (pullRequest.autoMerge === null) return;
  pullRequest.autoMerge = null;
  record(engine, state, pullRequest, why.actor, {
    type: "AutoMergeDisabledEvent",
    reason: why.reason,
    reasonCode: why.code,
  });
  await announcePullRequest(engine, state, pullRequest, "auto_merge_disabled", why.actor, {
    reason: why.reason,
  });
}
