/** `items.section.get`: one named text of an item (A7.4, A9.3, A11.1). */
import { z } from "zod";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { itemKey, words } from "./input-shapes.js";
import { readSection, sectionNames } from "./item-sections.js";
import { storedItem } from "./stored.js";

export const itemsSectionGet = defineFunction({
  name: "items.section.get",
  since: "0.1.0",
  summary: "Show a section of an item, such as its Merge Receipts.",
  effect: "read",
  input: z.strictObject({ item: itemKey, section: words("the name of a section", 200) }),
  output: z.object({
    item: z.string(),
    section: z.object({
      name: z.string(),
      body: z.string(),
      writtenAt: z.string().nullable(),
    }),
  }),
  async run(context, { item, section: name }) {
    await storedItem(context, item);
    const section = await readSection(context, item, name);
    if (section !== null) return { item, section };
    const names = (await sectionNames(context, item)).join(", ");
    throw new Refused([
      refuse("section_unknown", `${item} has no section ${name}; it has: ${names}.`, {
        item,
        section: name,
      }),
    ]);
  },
});
