/** `repository` as webhooks carry it. */
import type { Engine } from "../engine.js";
import type { Repository } from "../model.js";
import { ownerPayload } from "./account.js";
import { linksOf, seconds } from "./links.js";

export function repositoryPayload(engine: Engine, repository: Repository): Record<string, unknown> {
  const links = linksOf(engine, repository);
  const { api, html } = links;
  return {
    ...identity(engine, repository),
    forks_url: `${api}/forks`,
    keys_url: `${api}/keys{/key_id}`,
    collaborators_url: `${api}/collaborators{/collaborator}`,
    teams_url: `${api}/teams`,
    hooks_url: `${api}/hooks`,
    issue_events_url: `${api}/issues/events{/number}`,
    events_url: `${api}/events`,
    assignees_url: `${api}/assignees{/user}`,
    branches_url: `${api}/branches{/branch}`,
    tags_url: `${api}/tags`,
    blobs_url: `${api}/git/blobs{/sha}`,
    git_tags_url: `${api}/git/tags{/sha}`,
    git_refs_url: `${api}/git/refs{/sha}`,
    trees_url: `${api}/git/trees{/sha}`,
    statuses_url: `${api}/statuses/{sha}`,
    languages_url: `${api}/languages`,
    stargazers_url: `${api}/stargazers`,
    contributors_url: `${api}/contributors`,
    subscribers_url: `${api}/subscribers`,
    subscription_url: `${api}/subscription`,
    commits_url: `${api}/commits{/sha}`,
    git_commits_url: `${api}/git/commits{/sha}`,
    comments_url: `${api}/comments{/number}`,
    issue_comment_url: `${api}/issues/comments{/number}`,
    contents_url: `${api}/contents/{+path}`,
    compare_url: `${api}/compare/{base}...{head}`,
    merges_url: `${api}/merges`,
    archive_url: `${api}/{archive_format}{/ref}`,
    downloads_url: `${api}/downloads`,
    issues_url: `${api}/issues{/number}`,
    pulls_url: `${api}/pulls{/number}`,
    milestones_url: `${api}/milestones{/number}`,
    notifications_url: `${api}/notifications{?since,all,participating}`,
    labels_url: `${api}/labels{/name}`,
    releases_url: `${api}/releases{/id}`,
    deployments_url: `${api}/deployments`,
    git_url: `${html}.git`,
    ssh_url: `${html}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    ...CONSTANTS,
    created_at: seconds(repository.createdAt),
    updated_at: seconds(repository.createdAt),
    pushed_at: seconds(repository.createdAt),
    visibility: repository.private ? "private" : "public",
    default_branch: repository.defaultBranch,
    allow_auto_merge: repository.autoMergeAllowed,
    allow_merge_commit: repository.mergeCommitAllowed,
    allow_squash_merge: repository.squashMergeAllowed,
    allow_rebase_merge: repository.rebaseMergeAllowed,
    delete_branch_on_merge: repository.deleteBranchOnMerge,
  };
}

function identity(engine: Engine, repository: Repository): Record<string, unknown> {
  const links = linksOf(engine, repository);
  return {
    id: repository.id,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: `${repository.owner}/${repository.name}`,
    private: repository.private,
    owner: ownerPayload(links, repository),
    html_url: links.html,
    description: null,
    fork: repository.forkOf !== null,
    url: links.api,
  };
}

/** What the simulator has none of. */
const CONSTANTS = {
  homepage: null,
  size: 0,
  stargazers_count: 0,
  watchers_count: 0,
  language: null,
  has_issues: true,
  has_projects: false,
  has_downloads: false,
  has_wiki: false,
  has_pages: false,
  has_discussions: false,
  forks_count: 0,
  mirror_url: null,
  archived: false,
  disabled: false,
  open_issues_count: 0,
  license: null,
  allow_forking: true,
  is_template: false,
  web_commit_signoff_required: false,
  topics: [],
  forks: 0,
  open_issues: 0,
  watchers: 0,
};

/** `repository-lite` inside workflow runs, and `repo` inside minimal pull requests. */
export function minimalRepositoryPayload(
  engine: Engine,
  repository: Repository,
): Record<string, unknown> {
  return { id: repository.id, name: repository.name, url: linksOf(engine, repository).api };
}
