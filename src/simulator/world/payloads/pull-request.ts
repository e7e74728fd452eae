/** `pull_request` as webhooks carry it. */
import type { Engine } from "../engine.js";
import type { Actor, PullRequest, Repository } from "../model.js";
import type { RepositoryState } from "../state.js";
import { userPayload } from "./account.js";
import { linksOf, seconds, type Links } from "./links.js";
import { minimalRepositoryPayload, repositoryPayload } from "./repository.js";

export async function pullRequestPayload(
  engine: Engine,
  state: RepositoryState,
  pullRequest: PullRequest,
): Promise<Record<string, unknown>> {
  const { repository } = state;
  const links = linksOf(engine, repository);
  const one = `${links.api}/pulls/${pullRequest.number}`;
  return {
    id: pullRequest.id,
    node_id: pullRequest.nodeId,
    number: pullRequest.number,
    state: pullRequest.state === "OPEN" ? "open" : "closed",
    locked: false,
    title: pullRequest.title,
    user: userPayload(links, pullRequest.author),
    body: pullRequest.body === "" ? null : pullRequest.body,
    created_at: seconds(pullRequest.createdAt),
    updated_at: seconds(pullRequest.updatedAt),
    closed_at: seconds(pullRequest.closedAt),
    merged_at: seconds(pullRequest.mergedAt),
    // Live webhooks send it, whatever the version of the REST API (github-facts 2.1).
    merge_commit_sha: pullRequest.mergeCommit,
    draft: pullRequest.isDraft,
    author_association: "MEMBER",
    auto_merge: autoMergePayload(links, pullRequest),
    active_lock_reason: null,
    head: side(engine, headRepository(engine, pullRequest), {
      ref: pullRequest.headBranch,
      sha: pullRequest.headSha,
    }),
    base: side(engine, repository, { ref: pullRequest.baseBranch, sha: pullRequest.baseSha }),
    ...addresses(links, pullRequest, one),
    ...NOBODY,
    merged: pullRequest.state === "MERGED",
    merged_by: pullRequest.mergedBy === null ? null : userPayload(links, pullRequest.mergedBy),
    // Webhooks go out before GitHub has computed it.
    mergeable: null,
    mergeable_state: "unknown",
    rebaseable: null,
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: pullRequest.maintainerCanModify,
    ...(await size(engine, repository, pullRequest)),
  };
}

const NOBODY = {
  assignee: null,
  assignees: [],
  requested_reviewers: [],
  requested_teams: [],
  labels: [],
  milestone: null,
};

function addresses(links: Links, pullRequest: PullRequest, one: string): Record<string, unknown> {
  const html = `${links.html}/pull/${pullRequest.number}`;
  const issue = `${links.api}/issues/${pullRequest.number}`;
  const statuses = `${links.api}/statuses/${pullRequest.headSha}`;
  return {
    url: one,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: `${one}/commits`,
    review_comments_url: `${one}/comments`,
    review_comment_url: `${links.api}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    _links: {
      self: { href: one },
      html: { href: html },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${one}/comments` },
      review_comment: { href: `${links.api}/pulls/comments{/number}` },
      commits: { href: `${one}/commits` },
      statuses: { href: statuses },
    },
  };
}

function autoMergePayload(links: Links, pullRequest: PullRequest): Record<string, unknown> | null {
  const { autoMerge } = pullRequest;
  if (autoMerge === null) return null;
  return {
    enabled_by: userPayload(links, autoMerge.enabledBy),
    merge_method: autoMerge.mergeMethod.toLowerCase(),
    commit_title: null,
    commit_message: null,
  };
}

function headRepository(engine: Engine, pullRequest: PullRequest): Repository | null {
  const found = engine.state.repositories.find(
    ({ repository }) => `${repository.owner}/${repository.name}` === pullRequest.headRepository,
  );
  return found === undefined || found.repository.deleted ? null : found.repository;
}

function side(
  engine: Engine,
  repository: Repository | null,
  at: { ref: string; sha: string },
): Record<string, unknown> {
  if (repository === null) return { label: at.ref, ...at, user: null, repo: null };
  const owner: Actor = { login: repository.owner, type: "User", id: 0 };
  const repo = repositoryPayload(engine, repository);
  return { label: `${owner.login}:${at.ref}`, ...at, user: repo["owner"], repo };
}

async function size(
  engine: Engine,
  repository: Repository,
  pullRequest: PullRequest,
): Promise<Record<string, number>> {
  const git = engine.git(repository);
  const base = await git.mergeBase(pullRequest.baseSha, pullRequest.headSha);
  const files = base === null ? [] : await git.changedFiles(base, pullRequest.headSha);
  const { ahead } = await git.aheadBehind(pullRequest.baseSha, pullRequest.headSha);
  return {
    commits: ahead,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: files.length,
  };
}

/** `pull_requests` inside checks and runs: open ones of this head in the repository itself. */
export function minimalPullRequests(
  engine: Engine,
  state: RepositoryState,
  headSha: string,
): Record<string, unknown>[] {
  const { repository } = state;
  const repo = minimalRepositoryPayload(engine, repository);
  const own = `${repository.owner}/${repository.name}`;
  return state.pullRequests
    .filter((one) => one.state === "OPEN" && one.headSha === headSha && one.headRepository === own)
    .map((one) => ({
      id: one.id,
      number: one.number,
      url: `${linksOf(engine, repository).api}/pulls/${one.number}`,
      head: { ref: one.headBranch, sha: one.headSha, repo },
      base: { ref: one.baseBranch, sha: one.baseSha, repo },
    }));
}
