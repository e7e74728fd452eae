/** `deployment_runs.add_item`: enrolls an item; one that is being landed again is refused (A14.1). */
import { z } from "zod";
import { inTransaction } from "../../db/client.js";
import { addMember } from "../../db/deployment-runs.js";
import { openCorrection } from "../core/release/admission.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { openRun, runName, runShape, shownRun } from "./deployment-run.js";
import { itemKey } from "./input-shapes.js";
import { landingsOf } from "./landings-of.js";
import { storedItem } from "./stored.js";

export const deploymentRunsAddItem = defineFunction({
  name: "deployment_runs.add_item",
  since: "0.2.0",
  summary: "Add an item to a deployment run; one that is being landed again is refused.",
  effect: "write",
  input: z.strictObject({ run: runName, item: itemKey }),
  output: z.object({ run: runShape, added: z.boolean() }),
  async run(context, { run: name, item: key }) {
    const item = await storedItem(context, key);
    const correction = openCorrection(key, await landingsOf(context, key));
    if (correction !== null) throw new Refused([correction]);
    const { added } = await inTransaction(context.db, async (transaction) => {
      const run = await openRun(transaction, name);
      if (run.project !== item.project) {
        throw new Refused([
          refuse("item_unknown", `${key} is no item of ${run.project}, which ${name} is of.`, {
            item: key,
          }),
        ]);
      }
      return addMember(transaction, { run: name, item: key, at: context.now() });
    });
    return { run: await shownRun(context.db, name), added };
  },
});
