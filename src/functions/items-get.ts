/** `items.get` */
import { z } from "zod";
import { defineFunction } from "./define.js";
import { itemKey } from "./input-shapes.js";
import { itemShape } from "./record-shapes.js";
import { sectionNames } from "./item-sections.js";
import { storedItem } from "./stored.js";

export const itemsGet = defineFunction({
  name: "items.get",
  since: "0.1.0",
  summary: "Show an item, and the names of its sections.",
  effect: "read",
  input: z.strictObject({ item: itemKey }),
  output: z.object({ item: itemShape, sections: z.array(z.string()) }),
  async run(context, input) {
    const item = await storedItem(context, input.item);
    return { item, sections: await sectionNames(context, item.key) };
  },
});
