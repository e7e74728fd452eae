/** `item_landings.record`: the merge that first carried a lane's candidate, before the lane is removed (A13.1). */
import { z } from "zod";
import { recordItemLanding } from "../../db/item-landings.js";
import { listLanes } from "../../db/lanes.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { refuseUnlessHolder } from "./holder.js";
import { branchName, itemKey, oid } from "./input-shapes.js";
import { storedItem } from "./stored.js";

export const itemLandingShape = z.object({
  item: z.string(),
  branch: z.string(),
  candidate: z.string(),
  carriedBy: z.string(),
  recordedAt: z.string(),
});

export const itemLandingsRecord = defineFunction({
  name: "item_landings.record",
  since: "0.2.0",
  summary: "Record the merge that first carried a lane's candidate, as git on its host proved it.",
  effect: "write",
  input: z.strictObject({
    item: itemKey,
    branch: branchName,
    candidate: oid,
    /** The candidate itself where the gate branch was fast-forwarded to it. */
    carriedBy: oid,
  }),
  output: z.object({ landing: itemLandingShape }),
  async run(context, input) {
    const { item, branch } = input;
    await storedItem(context, item);
    await refuseUnlessHolder(context, item);
    const lanes = await listLanes(context.db, { item, state: "active" });
    if (!lanes.some((lane) => lane.branch === branch)) {
      throw new Refused([
        refuse("lane_unknown", `${item} has no lane ${branch}.`, { item, branch }),
      ]);
    }
    const landing = await recordItemLanding(context.db, { ...input, at: context.now() });
    return { landing };
  },
});
