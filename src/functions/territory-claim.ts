/** `territory.claim`: an item keeps a path or a migration for itself until it landed (A13.1). */
import { z } from "zod";
import { claimTerritory } from "../../db/territory.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { refuseUnlessHolder } from "./holder.js";
import { itemKey, words } from "./input-shapes.js";
import { storedItem } from "./stored.js";

export const territoryShape = z.object({
  project: z.string(),
  item: z.string(),
  kind: z.enum(["path", "migration"]),
  name: z.string(),
  claimedAt: z.string(),
});

export const territoryClaim = defineFunction({
  name: "territory.claim",
  since: "0.2.0",
  summary: "Keep a path or a migration for an item until it landed.",
  effect: "write",
  input: z.strictObject({
    item: itemKey,
    kind: territoryShape.shape.kind,
    name: words("a path or the name of a migration", 1000),
  }),
  output: z.object({ claim: territoryShape }),
  async run(context, { item: key, kind, name }) {
    const item = await storedItem(context, key);
    await refuseUnlessHolder(context, key);
    const asked = { project: item.project, item: key, kind, name };
    const claim = await claimTerritory(context.db, { ...asked, at: context.now() });
    if (claim.item === key) return { claim };
    throw new Refused([
      refuse("territory_taken", `${claim.item} holds ${kind} ${name} since ${claim.claimedAt}.`, {
        item: key,
        holder: claim.item,
      }),
    ]);
  },
});
