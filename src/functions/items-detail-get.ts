/** `items.detail.get`: an item with everything that is known of its landing, from stored records (A10.7). */
import { z } from "zod";
import { listLandingAttempts } from "../../db/attempts.js";
import { findClaim } from "../../db/claims.js";
import { listPredecessors } from "../../db/items.js";
import { listLanes } from "../../db/lanes.js";
import { listQualifications } from "../../db/qualifications.js";
import { listReceipts } from "../../db/receipts.js";
import { currentLanding, shownAttempt } from "../core/landing/landings-of-item.js";
import { defineFunction } from "./define.js";
import { itemKey } from "./input-shapes.js";
import { landingsOf } from "./landings-of.js";
import { landingViewSchema, viewOfRecord } from "./landing-view.js";
import {
  attemptShape,
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
      /** The open re-land attempt, or the one that ended last. */
      attempt: attemptShape.extend({ landing: landingViewSchema }).nullable(),
      receipts: z.array(receiptShape),
      lanes: z.array(laneShape),
      claim: claimShape.nullable(),
      predecessors: z.array(predecessorShape),
      qualifications: z.array(qualificationShape),
    }),
  }),
  async run(context, { item: key }) {
    const item = await storedItem(context, key);
    const [records, receipts, lanes, claim, predecessors, qualifications] = await Promise.all([
      landingsOf(context, key),
      listReceipts(context.db, { item: key }),
      listLanes(context.db, { item: key }),
      findClaim(context.db, { item: key }),
      listPredecessors(context.db, { item: key }),
      listQualifications(context.db, { item: key }),
    ]);
    const record = currentLanding(records);
    const attempt = shownAttempt(records);
    const rows = await listLandingAttempts(context.db, { item: key });
    const row = rows.find(({ pullRequest }) => pullRequest === attempt?.attempt);
    return {
      item,
      merge_queue: {
        landing: record === null ? null : viewOfRecord(record),
        stateAt: record?.stateAt ?? null,
        observedAt: record?.observedAt ?? null,
        result: record?.result ?? null,
        verification: record?.verification ?? null,
        attempt:
          attempt === null || row === undefined ? null : { ...row, landing: viewOfRecord(attempt) },
        receipts,
        lanes,
        claim,
        predecessors,
        qualifications,
      },
    };
  },
});
