/** `merge.item`: the governed, re-entrant request to land an item (A1). */
import { z } from "zod";
import { findClaim } from "../../db/claims.js";
import { findItem } from "../../db/items.js";
import { findProject } from "../../db/projects.js";
import { findSession } from "../../db/sessions.js";
import type { MergeAnswer } from "../../workflows/names.js";
import { EXIT, refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { landingViewSchema, viewOf } from "./landing-view.js";

const sha = z.string().regex(/^[0-9a-f]{40}$/, "a full commit id of 40 hex digits");

const lane = z.object({
  path: z.string(),
  commonDir: z.string(),
  branch: z.string().nullable(),
  head: sha,
  tree: sha,
  dirty: z.array(z.string()),
  linkedWorktree: z.boolean(),
});

const receipt = z.object({
  pullRequest: z.number(),
  head: sha,
  mergeCommit: sha,
  carriedBy: sha.nullable(),
  mergedAt: z.string(),
  result: z.string().nullable(),
  verification: z.string().nullable(),
});

const output = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("landing_pending"),
    landing_pending: z.literal(true),
    landing: landingViewSchema,
    next: z.string(),
  }),
  z.object({
    outcome: z.literal("landed"),
    landing_pending: z.literal(false),
    landing: landingViewSchema,
    receipt,
    lane: z
      .object({ removed: z.boolean(), why: z.string().nullable(), next: z.string().nullable() })
      .nullable(),
  }),
  z.object({ outcome: z.literal("would_arm"), call: z.string(), candidate: sha }),
]);

/** Refuses a request by a session that does not hold the item; a person without a session may always ask. */
async function held(context: Parameters<typeof mergeItem.run>[0], item: string): Promise<void> {
  const claim = await findClaim(context.db, { item });
  if (context.session === null || claim === null || claim.session === context.session) return;
  const holder = await findSession(context.db, { id: claim.session });
  if (holder?.state !== "active") return;
  throw new Refused([
    refuse("claim_held", `${item} is claimed by session ${claim.session}.`, {
      item,
      holder: claim.session,
    }),
  ]);
}

function answered(item: string, answer: MergeAnswer): z.output<typeof output> {
  switch (answer.outcome) {
    case "refused":
      throw new Refused(answer.refusals);
    case "landing_pending":
      return {
        outcome: "landing_pending",
        landing_pending: true,
        landing: viewOf(answer.state, answer.why),
        next: `Wait for the landing notice, then run \`yoke merge item ${item}\` again; \`yoke explain ${item}\` says where it stands.`,
      };
    case "landed": {
      const { receipt: kept, lane: removal } = answer;
      return {
        outcome: "landed",
        landing_pending: false,
        landing: viewOf(answer.state, "landed"),
        receipt: {
          pullRequest: kept.pullRequest,
          head: kept.head,
          mergeCommit: kept.mergeCommit,
          carriedBy: kept.closeOut?.carriedBy ?? null,
          mergedAt: kept.mergedAt,
          result: kept.closeOut?.result ?? null,
          verification: kept.closeOut?.verification ?? null,
        },
        lane:
          removal === null
            ? null
            : removal.removed
              ? { removed: true, why: null, next: null }
              : { removed: false, why: removal.why, next: removal.next },
      };
    }
    case "would_arm":
      return { outcome: "would_arm", call: answer.call, candidate: answer.candidate.commit };
  }
}

export const mergeItem = defineFunction({
  name: "merge.item",
  since: "0.1.0",
  summary: "Land the exact verified candidate of an item, or say where its landing stands.",
  effect: "write",
  input: z.object({
    item: z.string(),
    lane: lane.nullable(),
    host: z.string(),
    remote: z.string().nullable(),
    result: z.string().nullable().default(null),
    verification: z.string().nullable().default(null),
    dryRun: z.boolean().default(false),
    /** Names the request: the same id asked twice is one request. */
    requestId: z.string().optional(),
  }),
  output,
  exit: (answer) => (answer.outcome === "landing_pending" ? EXIT.pending : EXIT.ok),
  async run(context, input) {
    const item = await findItem(context.db, { key: input.item });
    if (item === null) {
      throw new Refused([
        refuse("item_unknown", `${input.item} is not an item.`, { item: input.item }),
      ]);
    }
    const project = await findProject(context.db, { key: item.project });
    if (project === null) throw new Error(`project ${item.project} of ${item.key} has no row`);
    await held(context, item.key);
    const { requestId, ...request } = input;
    const answer = await context.landings.merge(
      { ...request, project: project.key, item: item.key, session: context.session },
      project.gateBranch,
      requestId ?? context.newId(),
    );
    return answered(item.key, answer);
  },
});
