/** Webhooks of pull requests and merge groups. */
import { QUEUE_BOT } from "./actors.js";
import type { Engine } from "./engine.js";
import type { Actor, Group, PullRequest } from "./model.js";
import { simpleCommit } from "./payloads/commit.js";
import { pullRequestPayload } from "./payloads/pull-request.js";
import type { RepositoryState } from "./state.js";
import { emit } from "./webhooks.js";

export type PullRequestAction =
  | "opened"
  | "edited"
  | "closed"
  | "reopened"
  | "synchronize"
  | "converted_to_draft"
  | "ready_for_review"
  | "enqueued"
  | "dequeued"
  | "auto_merge_enabled"
  | "auto_merge_disabled";

/** `extra`: fields beside `pull_request`, such as `reason`, `before`, `after`, `changes`. */
export async function announcePullRequest(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
  action: PullRequestAction,
  sender: Actor,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await emit(engine, state, {
    name: "pull_request",
    action,
    sender,
    payload: async () => ({
      number: pullRequest.number,
      pull_request: await pullRequestPayload(engine, state, pullRequest),
      ...extra,
    }),
  });
}

export async function announceGroup(
  engine: Engine,
  state: RepositoryState,
  baseBranch: string,
  group: Group,
  event:
    | { readonly action: "checks_requested" }
    | { readonly action: "destroyed"; readonly reason: "merged" | "invalidated" | "dequeued" },
): Promise<void> {
  await emit(engine, state, {
    name: "merge_group",
    action: event.action,
    sender: QUEUE_BOT,
    payload: async () => ({
      ...(event.action === "destroyed" ? { reason: event.reason } : {}),
      merge_group: {
        head_sha: group.headSha,
        head_ref: `refs/heads/${group.branch}`,
        // The entry ahead, not the tip of the base branch (quirk 9).
        base_sha: group.baseSha,
        base_ref: `refs/heads/${baseBranch}`,
        head_commit: simpleCommit(await engine.git(state.repository).commit(group.headSha)),
      },
    }),
  });
}
