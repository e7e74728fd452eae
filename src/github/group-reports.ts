/** What was reported on the newest groups of a gate branch: those in the queue, and those that left it (A2.6). */
import { z } from "zod";

import type { GroupReport } from "../core/gate/reporting.js";
import type { RepositoryRef } from "./port.js";
import * as queries from "./queries.js";
import { readWhole } from "./read.js";
import type { Transport } from "./transport.js";

const commit = z.object({
  committedDate: z.string(),
  statusCheckRollup: z
    .object({
      contexts: z.object({
        nodes: z.array(
          z.discriminatedUnion("__typename", [
            z.object({
              __typename: z.literal("CheckRun"),
              name: z.string(),
              checkSuite: z.object({
                app: z.object({ databaseId: z.int().nullable() }).nullable(),
              }),
            }),
            z.object({ __typename: z.literal("StatusContext"), context: z.string() }),
          ]),
        ),
      }),
    })
    .nullable(),
});
const shape = z.object({
  repository: z.object({
    mergeQueue: z
      .object({
        entries: z.object({ nodes: z.array(z.object({ headCommit: commit.nullable() })) }),
      })
      .nullable(),
    pullRequests: z.object({
      nodes: z.array(
        z.object({
          timelineItems: z.object({
            nodes: z.array(z.object({ createdAt: z.string(), beforeCommit: commit.nullable() })),
          }),
        }),
      ),
    }),
  }),
});

/** One request. */
export async function readGroupReports(
  transport: Transport,
  repository: RepositoryRef,
  gate: string,
): Promise<readonly GroupReport[]> {
  const variables = { ...repository, gate };
  const { data } = await readWhole(transport, queries.groupReports, variables, shape);
  const { mergeQueue, pullRequests } = data.repository;
  const live = (mergeQueue?.entries.nodes ?? []).flatMap(({ headCommit }) =>
    headCommit === null ? [] : [reportOf(headCommit, null)],
  );
  const left = pullRequests.nodes
    .flatMap(({ timelineItems }) => timelineItems.nodes)
    .flatMap(({ createdAt, beforeCommit }) =>
      beforeCommit === null ? [] : [reportOf(beforeCommit, createdAt)],
    );
  return [...live, ...left];
}

function reportOf(
  { committedDate, statusCheckRollup }: z.infer<typeof commit>,
  leftAt: string | null,
): GroupReport {
  const nodes = statusCheckRollup?.contexts.nodes ?? [];
  return {
    builtAt: committedDate,
    leftAt,
    reported: nodes.map((node) =>
      node.__typename === "CheckRun"
        ? { context: node.name, app: node.checkSuite.app?.databaseId ?? null }
        : { context: node.context, app: null },
    ),
  };
}
