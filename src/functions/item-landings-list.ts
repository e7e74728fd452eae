/** `item_landings.list`: the landings of an item's lanes (A12.1, A13.1). */
import { z } from "zod";
import { listItemLandings } from "../../db/item-landings.js";
import { defineFunction } from "./define.js";
import { itemKey } from "./input-shapes.js";
import { itemLandingShape } from "./item-landings-record.js";
import { storedItem } from "./stored.js";

export const itemLandingsList = defineFunction({
  name: "item_landings.list",
  since: "0.2.0",
  summary: "List the landings of an item's lanes.",
  effect: "read",
  input: z.strictObject({ item: itemKey }),
  output: z.object({ landings: z.array(itemLandingShape) }),
  async run(context, { item }) {
    await storedItem(context, item);
    return { landings: await listItemLandings(context.db, { item }) };
  },
});
