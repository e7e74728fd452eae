/** Commits as webhooks carry them. */
import type { Engine } from "../engine.js";
import type { Commit } from "../git.js";
import type { Repository } from "../model.js";
import { nodeId } from "../node-ids.js";
import { linksOf } from "./links.js";

/** `simple-commit`: in check suites, workflow runs, merge groups. */
export function simpleCommit(commit: Commit): Record<string, unknown> {
  return {
    id: commit.sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: commit.committer.date,
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
  };
}

/** In a `push`. */
export async function pushedCommit(
  engine: Engine,
  repository: Repository,
  commit: Commit,
): Promise<Record<string, unknown>> {
  const parent = commit.parents[0];
  const files =
    parent === undefined ? [] : await engine.git(repository).changedFiles(parent, commit.sha);
  const paths = (status: string): string[] =>
    files.filter((file) => file.status === status).map((file) => file.path);
  return {
    ...simpleCommit(commit),
    distinct: true,
    url: `${linksOf(engine, repository).html}/commit/${commit.sha}`,
    added: paths("added"),
    removed: paths("removed"),
    modified: files
      .filter((file) => file.status !== "added" && file.status !== "removed")
      .map((file) => file.path),
  };
}

/** In a `status`. */
export function statusCommit(
  engine: Engine,
  repository: Repository,
  commit: Commit,
): Record<string, unknown> {
  const links = linksOf(engine, repository);
  return {
    sha: commit.sha,
    node_id: nodeId("C", repository.id, commit.sha),
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${links.api}/git/trees/${commit.tree}` },
      url: `${links.api}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: {
        verified: false,
        reason: "unsigned",
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    url: `${links.api}/commits/${commit.sha}`,
    html_url: `${links.html}/commit/${commit.sha}`,
    comments_url: `${links.api}/commits/${commit.sha}/comments`,
    author: null,
    committer: null,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${links.api}/commits/${sha}`,
      html_url: `${links.html}/commit/${sha}`,
    })),
  };
}
