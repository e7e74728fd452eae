/** `deployment_runs.remove_item`: a removed member no longer blocks the run (A14.1). */
import { z } from "zod";
import { inTransaction } from "../../db/client.js";
import { removeMember } from "../../db/deployment-runs.js";
import { defineFunction } from "./define.js";
import { openRun, runName, runShape, shownRun } from "./deployment-run.js";
import { itemKey } from "./input-shapes.js";

export const deploymentRunsRemoveItem = defineFunction({
  name: "deployment_runs.remove_item",
  since: "0.2.0",
  summary: "Take an item out of a deployment run; its correction rides a later one.",
  effect: "write",
  input: z.strictObject({ run: runName, item: itemKey }),
  output: z.object({ run: runShape, removed: z.boolean() }),
  async run(context, { run: name, item }) {
    const { removed } = await inTransaction(context.db, async (transaction) => {
      await openRun(transaction, name);
      return removeMember(transaction, { run: name, item, at: context.now() });
    });
    return { run: await shownRun(context.db, name), removed };
  },
});
