/** The entries ahead of a pull request and the files it shares with them (A7.1). */
import { z } from "zod";

import type { QueueConflict } from "../core/landing/model.js";
import { GitHubError, type RepositoryRef } from "./port.js";
import * as queries from "./queries.js";
import { readWhole } from "./read.js";
import type { Transport } from "./transport.js";

/** Pages of 100 entries that are read of one queue. */
const MOST_PAGES = 10;

/** The first hundred files of a pull request: enough to explain an overlap, which proves nothing anyway. */
const files = z.object({ nodes: z.array(z.object({ path: z.string() })) });

const shape = z.object({
  repository: z.object({
    pullRequest: z.object({
      mergeQueueEntry: z.object({ position: z.int() }).nullable(),
      files,
    }),
    mergeQueue: z
      .object({
        entries: z.object({
          pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
          nodes: z.array(
            z.object({ position: z.int(), pullRequest: z.object({ number: z.int(), files }) }),
          ),
        }),
      })
      .nullable(),
  }),
});

/**
 * One request, one more for each further hundred entries ahead. Without an entry of its own, the whole queue would
 * stand ahead of it (A7.2). Null: the branch has no queue. An entry or a file list that cannot be read raises
 * `GitHubError`, whose message names the place of the failed read (A7.3).
 */
export async function readQueueAhead(
  transport: Transport,
  repository: RepositoryRef,
  ask: { readonly pullRequest: number; readonly baseBranch: string; readonly at: string },
): Promise<QueueConflict | null> {
  const ahead = new Map<number, readonly string[]>();
  const own = new Set<string>();
  let after: string | null = null;
  for (let page = 1; ; page += 1) {
    const { data } = await readPage(transport, repository, ask, after);
    const { pullRequest, mergeQueue } = data.repository;
    if (mergeQueue === null) return null;
    const position = pullRequest.mergeQueueEntry?.position ?? Number.POSITIVE_INFINITY;
    for (const { path } of pullRequest.files.nodes) own.add(path);
    for (const entry of mergeQueue.entries.nodes) {
      if (entry.position >= position || entry.pullRequest.number === ask.pullRequest) continue;
      ahead.set(
        entry.pullRequest.number,
        entry.pullRequest.files.nodes.map(({ path }) => path),
      );
    }
    const { hasNextPage, endCursor } = mergeQueue.entries.pageInfo;
    const last = mergeQueue.entries.nodes.at(-1)?.position ?? Number.POSITIVE_INFINITY;
    if (!hasNextPage || endCursor === null || last >= position) break;
    if (page === MOST_PAGES) {
      const message = `the merge queue of ${ask.baseBranch} has more than ${MOST_PAGES * 100} entries`;
      throw new GitHubError({ kind: "unavailable", message });
    }
    after = endCursor;
  }
  const shared = new Set([...ahead.values()].flat().filter((path) => own.has(path)));
  return {
    ahead: [...ahead.keys()],
    sharedFiles: [...shared].sort(),
    seenAt: ask.at,
  };
}

function readPage(
  transport: Transport,
  repository: RepositoryRef,
  ask: { readonly pullRequest: number; readonly baseBranch: string },
  after: string | null,
) {
  const variables = { ...repository, gate: ask.baseBranch, number: ask.pullRequest, after };
  return readWhole(transport, queries.queueAhead, variables, shape);
}
