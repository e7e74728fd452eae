/** `explain.item`: every reason why an item has not landed, each with its next step (A16.4). */
import { z } from "zod";
import { listLanes } from "../../db/lanes.js";
import { listPredecessors } from "../../db/items.js";
import { listNotices } from "../../db/notices.js";
import { listQualifications } from "../../db/qualifications.js";
import { listReceipts } from "../../db/receipts.js";
import { shownLanding } from "../core/landing/landings-of-item.js";
import { explain } from "../core/landing/explain.js";
import { defineFunction } from "./define.js";
import { freezeOf } from "./freeze-of-project.js";
import { itemKey } from "./input-shapes.js";
import { landingsOf } from "./landings-of.js";
import { landingViewSchema, viewOfRecord } from "./landing-view.js";
import { itemShape } from "./record-shapes.js";
import { storedItem, storedProject } from "./stored.js";

export const explainItem = defineFunction({
  name: "explain.item",
  since: "0.1.0",
  summary: "Say every reason why an item has not landed, and what to do about each.",
  effect: "read",
  input: z.strictObject({
    item: itemKey,
    /** Have the project read from GitHub first; otherwise stored records alone answer. */
    refresh: z.boolean().default(false),
  }),
  output: z.object({
    item: itemShape,
    reasons: z.array(z.object({ code: z.string(), text: z.string(), next: z.string().nullable() })),
    landing: landingViewSchema.nullable(),
    /** When the project was last read from GitHub in full. */
    refreshedAt: z.string().nullable(),
  }),
  async run(context, { item: key, refresh }) {
    if (refresh) {
      const { project } = await storedItem(context, key);
      await context.landings.refreshAll(project);
    }
    const item = await storedItem(context, key);
    const [project, freeze, lanes, qualifications, predecessors, record, notices, receipts] =
      await Promise.all([
        storedProject(context, item.project),
        freezeOf(context, item.project),
        listLanes(context.db, { item: key }),
        listQualifications(context.db, { item: key }),
        listPredecessors(context.db, { item: key }),
        landingsOf(context, key).then(shownLanding),
        listNotices(context.db, { item: key }),
        listReceipts(context.db, { item: key }),
      ]);
    const reasons = explain({
      item,
      project,
      freeze,
      lanes,
      qualifications,
      predecessors,
      record,
      notices,
      // Oldest first there, newest first in the repository.
      receipts: receipts.toReversed(),
      now: context.now(),
    });
    return {
      item,
      reasons: [...reasons],
      landing: record === null ? null : viewOfRecord(record),
      refreshedAt: project.refreshedAt,
    };
  },
});
