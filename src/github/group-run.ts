/** What was reported on the commit a pull request merged as (A16.1). It is a mark: what cannot be read is left out. */
import { z } from "zod";

import { ranOnGroup } from "../core/landing/group-run.js";
import { concernsCounts } from "./check-counts.js";
import type { GraphqlError } from "./faults.js";

const shape = z.object({
  mergedAt: z.string(),
  mergeCommit: z.object({
    statusCheckRollup: z
      .object({
        contexts: z.object({
          nodes: z.array(
            z.discriminatedUnion("__typename", [
              z.object({ __typename: z.literal("CheckRun"), completedAt: z.string().nullable() }),
              z.object({ __typename: z.literal("StatusContext"), createdAt: z.string() }),
            ]),
          ),
        }),
      })
      .nullable(),
  }),
});

/** Of a node of `Observe`; nothing before the merge, or when it was not asked for or could not be read. */
export function readGroupRun(
  node: unknown,
  errors: readonly GraphqlError[],
): { readonly groupRun?: boolean } {
  if (errors.some(concernsCounts)) return {};
  const parsed = shape.safeParse(node);
  if (!parsed.success) return {};
  const { mergedAt, mergeCommit } = parsed.data;
  const nodes = mergeCommit.statusCheckRollup?.contexts.nodes ?? [];
  const ends = nodes.map((one) =>
    one.__typename === "CheckRun" ? one.completedAt : one.createdAt,
  );
  return { groupRun: ranOnGroup(ends, mergedAt) };
}
