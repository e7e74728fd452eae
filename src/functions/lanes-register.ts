/** `lanes.register`: a worktree and its branch become the lane of an item. */
import { z } from "zod";
import { violated } from "../../db/client.js";
import { listLanes, registerLane } from "../../db/lanes.js";
import type { Lane } from "../core/records.js";
import { refuse } from "../core/refusals.js";
import { Refused, type FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { refuseUnlessHolder } from "./holder.js";
import { absolutePath, branchName, itemKey, word, words } from "./input-shapes.js";
import { laneShape } from "./record-shapes.js";
import { storedItem, storedProject } from "./stored.js";

export const lanesRegister = defineFunction({
  name: "lanes.register",
  since: "0.1.0",
  summary: "Register a worktree and its branch as the lane of an item.",
  effect: "write",
  input: z.strictObject({
    item: itemKey,
    branch: branchName,
    path: absolutePath,
    commonDir: absolutePath,
    host: word("the name of a host"),
    remote: words("the name of a remote", 200).nullable().default(null),
    /** Lanes of the item come together in it; it is the source when no other lane is (A12.4). */
    integration: z.boolean().default(false),
  }),
  output: z.object({ lane: laneShape }),
  async run(context, input) {
    const item = await storedItem(context, input.item);
    const { gateBranch } = await storedProject(context, item.project);
    if (input.branch === gateBranch) {
      const seen = { item: input.item, gateBranch, suggested: input.item.toLowerCase() };
      const what = `${input.path} is on the gate branch \`${gateBranch}\`.`;
      throw new Refused([refuse("lane_is_gate_branch", what, seen)]);
    }
    await refuseUnlessHolder(context, input.item);
    const known = (await listLanes(context.db, { item: input.item, state: "active" })).find(
      ({ branch, path, host }) =>
        branch === input.branch && path === input.path && host === input.host,
    );
    if (known !== undefined) return { lane: known };
    try {
      const lane = { ...input, id: context.newId(), at: context.now() };
      return { lane: await registerLane(context.db, lane) };
    } catch (error) {
      if (violated(error)?.startsWith("lanes_active_") !== true) throw error;
      const { branch, path } = input;
      const taken = await takenBy(context, input);
      throw new Refused([
        refuse(
          "lane_exists",
          taken === undefined
            ? `${branch} or ${path} is a lane already.`
            : `${taken.item} has the lane ${taken.branch} at ${taken.path} on ${taken.host}.`,
          { branch, path, ...(taken === undefined ? {} : { item: taken.item }) },
        ),
      ]);
    }
  },
});

async function takenBy(
  context: FunctionContext,
  input: Pick<Lane, "item" | "branch" | "path" | "commonDir" | "host">,
): Promise<Lane | undefined> {
  return (await listLanes(context.db, { state: "active" })).find(
    (lane) =>
      (lane.host === input.host &&
        (lane.path === input.path ||
          (lane.commonDir === input.commonDir && lane.branch === input.branch))) ||
      (lane.item === input.item && lane.branch === input.branch),
  );
}
