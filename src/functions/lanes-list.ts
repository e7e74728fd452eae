/** `lanes.list` */
import { z } from "zod";
import { listLanes } from "../../db/lanes.js";
import { defineFunction } from "./define.js";
import { itemKey, projectKey } from "./input-shapes.js";
import { laneShape } from "./record-shapes.js";
import { storedItem, storedProject } from "./stored.js";

export const lanesList = defineFunction({
  name: "lanes.list",
  since: "0.1.0",
  summary: "List lanes, of an item, a project, or all.",
  effect: "read",
  input: z.strictObject({
    item: itemKey.optional(),
    project: projectKey.optional(),
    /** With the removed ones. */
    all: z.boolean().default(false),
  }),
  output: z.object({ lanes: z.array(laneShape) }),
  async run(context, { item, project, all }) {
    if (item !== undefined) await storedItem(context, item);
    if (project !== undefined) await storedProject(context, project);
    const state = all ? undefined : "active";
    return { lanes: await listLanes(context.db, { item, project, state }) };
  },
});
