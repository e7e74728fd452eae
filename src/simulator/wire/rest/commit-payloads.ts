/** Commits, refs and files of REST. */
import type { ChangedFile, Commit } from "../../world/git-parse.js";
import type { Repository } from "../../world/model.js";
import { nodeId } from "../../world/node-ids.js";
import { statusCommit } from "../../world/payloads/commit.js";
import { linksOf } from "../../world/payloads/links.js";
import { Refusal } from "../../world/refusal.js";
import type { RestCall } from "./call.js";

export function commitPayload(call: RestCall, commit: Commit): Record<string, unknown> {
  return statusCommit(call.world.insides, call.repository, commit);
}

/** @throws Refusal UNPROCESSABLE, as GitHub for a revision that is not there. */
export async function requireCommit(call: RestCall, revision: string): Promise<Commit> {
  const oid = await call.git.resolve(call.repository, revision);
  const commit = oid === null ? null : await call.git.commit(call.repository, oid);
  if (commit === null) throw new Refusal("UNPROCESSABLE", `No commit found for SHA: ${revision}`);
  return commit;
}

export function filePayload(
  call: RestCall,
  file: ChangedFile,
  at: { readonly sha: string; readonly blob: string },
): Record<string, unknown> {
  const path = file.path.split("/").map(encodeURIComponent).join("/");
  return {
    sha: at.blob,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${call.links.html}/blob/${at.sha}/${path}`,
    raw_url: `${call.links.html}/raw/${at.sha}/${path}`,
    contents_url: `${call.links.api}/contents/${path}?ref=${at.sha}`,
    ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
  };
}

export function refPayload(
  call: RestCall,
  name: string,
  target: { readonly oid: string; readonly type: string },
): Record<string, unknown> {
  const { links, repository } = call;
  return {
    ref: name,
    node_id: refNodeId(repository, name),
    url: `${links.api}/git/${name}`,
    object: {
      type: target.type,
      sha: target.oid,
      url: `${links.api}/git/${target.type}s/${target.oid}`,
    },
  };
}

function refNodeId(repository: Repository, name: string): string {
  return nodeId("REF", repository.id, name);
}

/** In `branches`: only where the commit is. */
export function shortCommit(call: RestCall, sha: string): Record<string, unknown> {
  return { sha, url: `${linksOf(call.world.insides, call.repository).api}/commits/${sha}` };
}
