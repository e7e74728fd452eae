/** `items.list` */
import { z } from "zod";
import { listClaims } from "../../db/claims.js";
import { listItems } from "../../db/items.js";
import { defineFunction } from "./define.js";
import { projectKey } from "./input-shapes.js";
import { itemShape } from "./record-shapes.js";
import { storedProject } from "./stored.js";

export const itemsList = defineFunction({
  name: "items.list",
  since: "0.1.0",
  summary: "List the items of a project, by number, with who holds them.",
  effect: "read",
  input: z.strictObject({ project: projectKey, status: itemShape.shape.status.optional() }),
  output: z.object({ items: z.array(itemShape.extend({ holder: z.string().nullable() })) }),
  async run(context, { project, status }) {
    await storedProject(context, project);
    const claims = await listClaims(context.db, { project });
    const holders = new Map(claims.map(({ item, session }) => [item, session]));
    const items = await listItems(context.db, { project });
    return {
      items: items
        .filter((item) => status === undefined || item.status === status)
        .map((item) => ({ ...item, holder: holders.get(item.key) ?? null })),
    };
  },
});
