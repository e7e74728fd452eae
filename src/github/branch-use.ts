/** A branch and the open pull requests that need it (A16.6). */
import { z } from "zod";

import type { BranchUse } from "../core/landing/remote-branch.js";
import { branchRef } from "./branch-ref.js";
import type { RepositoryRef } from "./port.js";
import * as queries from "./queries.js";
import { readWhole } from "./read.js";
import type { Transport } from "./transport.js";

const shape = z.object({
  repository: z.object({
    ref: z.object({ target: z.object({ oid: z.string() }).nullable() }).nullable(),
    based: z.object({ nodes: z.array(z.object({ number: z.int() })) }),
    heads: z.object({
      nodes: z.array(z.object({ number: z.int(), isCrossRepository: z.boolean() })),
    }),
  }),
});

/** One request. A fork's branch of the same name is another branch. */
export async function readBranchUse(
  transport: Transport,
  repository: RepositoryRef,
  branch: string,
): Promise<BranchUse> {
  const variables = { ...repository, branch, ref: branchRef(branch) };
  const { data } = await readWhole(transport, queries.branchUse, variables, shape);
  const { ref, based, heads } = data.repository;
  return {
    head: ref?.target?.oid ?? null,
    baseOf: based.nodes.map(({ number }) => number),
    headOf: heads.nodes
      .filter(({ isCrossRepository }) => !isCrossRepository)
      .map(({ number }) => number),
  };
}
