/** Commits, comparisons, and what is associated with them. */
import { comparisonStatus } from "../git/git-reads.js";
import { type Answer, json, text } from "../http/answer.js";
import type { RestCall } from "./call.js";
import { commitPayload, filePayload, requireCommit } from "./commit-payloads.js";
import { listed, pageOf } from "./paging.js";
import { simplePullRequest } from "./pull-payloads.js";
import { reading } from "./repository-routes.js";
import { Refusal } from "../../world/refusal.js";

/** A comparison without paging shows this many commits, and files only on its first page (github-facts 2.6). */
const COMMITS_SHOWN = 250;
const FILES_SHOWN = 300;

export const commitRoutes = [
  reading("/commits", "contents", async (call) => {
    const start = await requireCommit(call, call.query.get("sha") ?? call.repository.defaultBranch);
    const commits = await call.git.commitsBetween(call.repository, null, start.sha);
    return listed(call, [...commits].reverse(), (commit) => commitPayload(call, commit));
  }),
  reading("/commits/{commit_sha}/pulls", "pull_requests", async (call) => {
    const sha = call.param("commit_sha");
    // Heads and merges only: commits of groups are linked to nothing (quirk 25).
    const found = call.world
      .pullRequests(call.repository)
      .filter((one) => one.headSha === sha || one.mergeCommit === sha);
    return listed(call, found, (one) => simplePullRequest(call, one));
  }),
  reading("/commits/{ref+}", "contents", commit),
  reading("/compare/{basehead+}", "contents", compare),
];

async function commit(call: RestCall): Promise<Answer> {
  const found = await requireCommit(call, call.param("ref"));
  const accept = call.incoming.header("accept") ?? "";
  // A cheap look at a head: the oid is the ETag too (github-facts 2.6).
  if (accept.includes("application/vnd.github.sha"))
    return text(200, found.sha, {
      "content-type": "application/vnd.github.sha; charset=utf-8",
      etag: `"${found.sha}"`,
    });
  const { files, stats } = await changes(call, found.parents[0] ?? null, found.sha);
  return json(200, { ...commitPayload(call, found), stats, files });
}

async function changes(call: RestCall, from: string | null, to: string) {
  const files = from === null ? [] : await filesBetween(call, from, to);
  const additions = files.reduce((sum, file) => sum + Number(file["additions"]), 0);
  const deletions = files.reduce((sum, file) => sum + Number(file["deletions"]), 0);
  return { files, stats: { additions, deletions, total: additions + deletions } };
}

/** Files of `to` against the point where it left `from`. */
export async function filesBetween(
  call: RestCall,
  from: string,
  to: string,
): Promise<Record<string, unknown>[]> {
  const files = await call.git.changedFiles(call.repository, from, to);
  const blobs = await call.git.blobs(call.repository, to);
  return files.map((file) =>
    filePayload(call, file, { sha: to, blob: blobs.get(file.path) ?? "0".repeat(40) }),
  );
}

async function compare(call: RestCall): Promise<Answer> {
  const split = /^(.+?)\.\.\.(.+)$/.exec(call.param("basehead"));
  const [base, head] = await Promise.all(
    [split?.[1], split?.[2]].map((name) => called(call, name ?? "")),
  );
  if (base === undefined || head === undefined) throw new Refusal("NOT_FOUND", "Not Found");
  const { repository, git, links } = call;
  const comparison = await git.compare(repository, base, head);
  const { mergeBase } = comparison;
  // GitHub compares only what has a common ancestor.
  if (mergeBase === null) throw new Refusal("NOT_FOUND", "Not Found");
  const between = await git.commitsBetween(repository, base, head);
  const paged = call.query.has("page") || call.query.has("per_page");
  const shown = paged
    ? pageOf(call, between)
    : { items: between.slice(0, COMMITS_SHOWN), headers: {} };
  const first = Number(call.query.get("page") ?? 1) <= 1;
  const page = `${links.html}/compare/${call.param("basehead")}`;
  return json(
    200,
    {
      url: `${links.api}/compare/${call.param("basehead")}`,
      html_url: page,
      permalink_url: `${links.html}/compare/${base}...${head}`,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      base_commit: commitPayload(call, await requireCommit(call, base)),
      merge_base_commit: commitPayload(call, await requireCommit(call, mergeBase)),
      status: comparisonStatus(comparison),
      ahead_by: comparison.ahead,
      behind_by: comparison.behind,
      total_commits: between.length,
      commits: shown.items.map((one) => commitPayload(call, one)),
      files: first ? (await filesBetween(call, base, head)).slice(0, FILES_SHOWN) : [],
    },
    shown.headers,
  );
}

/** A name, or `owner:name` of the repository itself. */
async function called(call: RestCall, name: string): Promise<string | undefined> {
  const own = name.replace(`${call.repository.owner}:`, "");
  return (await call.git.resolve(call.repository, own)) ?? undefined;
}
