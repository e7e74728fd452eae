/** `items.depends`: declares that an item lands after another one; circles are refused here (A3.2). */
import { z } from "zod";
import { violated } from "../../db/client.js";
import { addDependency, listDependencies, listPredecessors } from "../../db/items.js";
import { cycleRefusal, findCycle } from "../core/landing/dependency-gate.js";
import { Refused, type FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { refuseUnlessHolder } from "./holder.js";
import { itemKey } from "./input-shapes.js";
import { predecessorShape } from "./record-shapes.js";
import { storedItem } from "./stored.js";

export const itemsDepends = defineFunction({
  name: "items.depends",
  since: "0.1.0",
  summary: "Declare that an item must land after another one.",
  effect: "write",
  input: z.strictObject({ item: itemKey, on: itemKey }),
  output: z.object({
    item: z.string(),
    /** False when it was declared before. */
    added: z.boolean(),
    predecessors: z.array(predecessorShape),
  }),
  async run(context, { item, on }) {
    const [waiting, before] = [await storedItem(context, item), await storedItem(context, on)];
    await refuseUnlessHolder(context, item);
    const projects = [...new Set([waiting.project, before.project])];
    await refuseCycle(context, projects, item, on);
    try {
      const { added } = await addDependency(context.db, { item, dependsOn: on, at: context.now() });
      return { item, added, predecessors: await listPredecessors(context.db, { item }) };
    } catch (error) {
      // Another declaration closed the circle meanwhile, or it runs through a third project.
      const constraint = violated(error);
      if (constraint !== "item_dependencies_acyclic" && constraint !== "item_dependencies_not_self")
        throw error;
      await refuseCycle(context, projects, item, on);
      throw new Refused([cycleRefusal([item, on, item])]);
    }
  },
});

async function refuseCycle(
  context: FunctionContext,
  projects: readonly string[],
  item: string,
  on: string,
): Promise<void> {
  const declared = await Promise.all(
    projects.map((project) => listDependencies(context.db, { project })),
  );
  const edges = declared.flat().map((edge) => ({ item: edge.item, after: edge.dependsOn }));
  const path = findCycle(edges, item, on);
  if (path !== null) throw new Refused([cycleRefusal(path)]);
}
