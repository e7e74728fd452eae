/** `items.detail.get`: an item with everything that is known of its landing, from stored records (A10.7). */
import { z } from "zod";
import { findClaim } from "../../db/claims.js";
import { listPredecessors } from "../../db/items.js";
import { findLanding } from "../../db/landings.js";
import { listLanes } from "../../db/lanes.js";
import { listQualifications } from "../../db/qualifications.js";
import { listReceipts } from "../../db/receipts.js";
import { defineFunction } from "./define.js";
import { itemKey } from "./input-shapes.js";
import { landingViewSchema, viewOfRecord } from "./landing-view.js";
import {
  claimShape,
  itemShape,
  laneShape,
  predecessorShape,
  qualificationShape,
  receiptShape,
} from "./record-shapes.js";
import { storedItem } from "./stored.js";

export const itemsDetailGet = defineFunction({
  name: "items.detail.get",
  since: "0.1.0",
  summary:
    "Show an item with its landing, receipts, lanes, claim, predecessors and qualifications.",
  effect: "read",
  input: z.strictObject({ item: itemKey }),
  output: z.object({
    item: itemShape,
    merge_queue: z.object({
      landing: landingViewSchema.nullable(),
      /** When the landing's workflow last said so, and when GitHub was last read for it. */
      stateAt: z.string().nullable(),
      observedAt: z.string().nullable(),
      result: z.string().nullable(),
      verification: z.string().nullable(),
      receipts: z.array(receiptShape),
      lanes: z.array(laneShape),
      claim: claimShape.nullable(),
      predecessors: z.array(predecessorShape),
      qualifications: z.array(qualificationShape),
    }),
  }),
  async run(context, { item: key }) {
    const item = await storedItem(context, key);
    const [record, receipts, lanes, claim, predecessors, qualifications] = await Promise.all([
      findLanding(context.db, { item: key }),
      listReceipts(context.db, { item: key }),
      listLanes(context.db, { item: key }),
      findClaim(context.db, { item: key }),
      listPredecessors(context.db, { item: key }),
      listQualifications(context.db, { item: key }),
    ]);
    return {
      item,
      merge_queue: {
        landing: record === null ? null : viewOfRecord(record),
        stateAt: record?.stateAt ?? null,
        observedAt: record?.observedAt ?? null,
        result: record?.result ?? null,
        verification: record?.verification ?? null,
        receipts,
        lanes,
        claim,
        predecessors,
        qualifications,
      },
    };
  },
});
