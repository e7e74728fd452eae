/** `territory.list`: which item keeps which path or migration (A13.1). */
import { z } from "zod";
import { listTerritory } from "../../db/territory.js";
import { defineFunction } from "./define.js";
import { itemKey, projectKey } from "./input-shapes.js";
import { territoryShape } from "./territory-claim.js";

export const territoryList = defineFunction({
  name: "territory.list",
  since: "0.2.0",
  summary: "List the paths and migrations that items keep for themselves.",
  effect: "read",
  input: z.strictObject({ project: projectKey.optional(), item: itemKey.optional() }),
  output: z.object({ territory: z.array(territoryShape) }),
  async run(context, ask) {
    return { territory: await listTerritory(context.db, ask) };
  },
});
