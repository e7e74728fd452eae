/** `items.add` */
import { z } from "zod";
import { addItem } from "../../db/items.js";
import { defineFunction } from "./define.js";
import { projectKey, words } from "./input-shapes.js";
import { itemShape } from "./record-shapes.js";
import { storedProject } from "./stored.js";

export const itemsAdd = defineFunction({
  name: "items.add",
  since: "0.1.0",
  summary: "Add an item to a project, under its next number.",
  effect: "write",
  input: z.strictObject({
    project: projectKey,
    title: words("a title", 500),
    body: z.string().max(100_000, "expected at most 100000 characters").default(""),
  }),
  output: z.object({ item: itemShape }),
  async run(context, input) {
    await storedProject(context, input.project);
    return { item: await addItem(context.db, { ...input, at: context.now() }) };
  },
});
