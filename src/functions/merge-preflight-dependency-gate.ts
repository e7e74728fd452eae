/** `merge.preflight.dependency_gate`: whether everything that must land before an item has landed (A3.1). */
import { z } from "zod";
import { listPredecessors } from "../../db/items.js";
import { dependencyGate } from "../core/landing/dependency-gate.js";
import { unreadableGate } from "../core/landing/preflight.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { outsideRefusal } from "./faults.js";
import { itemKey } from "./input-shapes.js";
import { predecessorShape } from "./record-shapes.js";
import { storedItem } from "./stored.js";

export const mergePreflightDependencyGate = defineFunction({
  name: "merge.preflight.dependency_gate",
  since: "0.1.0",
  summary: "Check that every declared predecessor of an item has landed.",
  effect: "read",
  input: z.strictObject({ item: itemKey }),
  output: z.object({
    item: z.string(),
    clear: z.literal(true),
    predecessors: z.array(predecessorShape),
  }),
  async run(context, { item }) {
    try {
      await storedItem(context, item);
      const predecessors = await listPredecessors(context.db, { item });
      const gate = dependencyGate(item, predecessors);
      if (gate.clear) return { item, clear: gate.clear, predecessors };
      throw new Refused([gate.refusal]);
    } catch (error) {
      const why = outsideRefusal(error);
      if (why === null) throw error;
      // Unreadable never means clear (A3.2).
      throw new Refused([unreadableGate(item, why.message.replace(/\.$/, ""))]);
    }
  },
});
