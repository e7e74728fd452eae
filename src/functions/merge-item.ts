/** `merge.item`: the governed, re-entrant request to land an item (A1). */
import { z } from "zod";
import type { MergeAnswer } from "../../workflows/names.js";
import { landingForMerge } from "../core/landing/landings-of-item.js";
import { EXIT, refuse } from "../core/refusals.js";
import { Refused, type FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { refuseUnlessHolder } from "./holder.js";
import { declarationRead, itemKey, oid, words } from "./input-shapes.js";
import { landingInput, landingsOf } from "./landings-of.js";
import { landingViewSchema, viewOf } from "./landing-view.js";
import { storedItem, storedProject } from "./stored.js";

const lane = z.object({
  path: z.string(),
  commonDir: z.string(),
  branch: z.string().nullable(),
  head: oid,
  tree: oid,
  dirty: z.array(z.string()),
  linkedWorktree: z.boolean(),
  declaration: declarationRead.optional(),
});

const receipt = z.object({
  pullRequest: z.number(),
  head: oid,
  mergeCommit: oid,
  carriedBy: oid.nullable(),
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
    /** Required checks that did not pass, and what becomes of each (A8). */
    checks: z.array(
      z.object({
        check: z.string(),
        answer: z.string(),
        why: z.string(),
        url: z.string().nullable(),
      }),
    ),
  }),
  z.object({
    outcome: z.literal("landed"),
    landing_pending: z.literal(false),
    landing: landingViewSchema,
    receipt,
    /** The lane's branch on GitHub; null when it was not to be deleted. */
    remoteBranch: z
      .object({ deleted: z.boolean(), why: z.string(), next: z.string().nullable() })
      .nullable(),
    lane: z
      .object({ removed: z.boolean(), why: z.string().nullable(), next: z.string().nullable() })
      .nullable(),
  }),
  z.object({ outcome: z.literal("would_arm"), call: z.string(), candidate: oid }),
]);

function answered(item: string, answer: MergeAnswer): z.output<typeof output> {
  switch (answer.outcome) {
    case "refused":
      throw new Refused(answer.refusals);
    case "reland": {
      const pullRequest = String(answer.attempt);
      throw new Refused([
        refuse("item_landing_open", `Pull request ${pullRequest} of ${item} is being landed.`, {
          item,
          pullRequest,
        }),
      ]);
    }
    case "landing_pending":
      return {
        outcome: "landing_pending",
        landing_pending: true,
        landing: viewOf(answer.state, answer.why),
        checks: (answer.checks ?? []).map(({ check, answer: what, why, url }) => ({
          check,
          answer: what,
          why,
          url,
        })),
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
        remoteBranch:
          answer.remoteBranch === undefined
            ? null
            : {
                deleted: answer.remoteBranch.deleted,
                why: answer.remoteBranch.why,
                next: answer.remoteBranch.deleted ? null : answer.remoteBranch.next,
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

/** Attempts of one item that a request is passed on to; each was opened by somebody else meanwhile. */
const hops = 3;

const asked = z.strictObject({
  item: itemKey,
  lane: lane.nullable(),
  host: z.string(),
  remote: z.string().nullable(),
  result: z.string().nullable().default(null),
  verification: z.string().nullable().default(null),
  dryRun: z.boolean().default(false),
  /** Names the request: the same id asked twice is one request. */
  requestId: z.string().optional(),
});

const exit = (answer: z.output<typeof output>) =>
  answer.outcome === "landing_pending" ? EXIT.pending : EXIT.ok;

async function land(
  context: FunctionContext,
  input: z.output<typeof asked> & { readonly retryFlake?: string },
): Promise<z.output<typeof output>> {
  const item = await storedItem(context, input.item);
  await refuseUnlessHolder(context, item.key);
  const project = await storedProject(context, item.project);
  const { requestId = context.newId(), ...given } = input;
  const request = {
    ...given,
    project: project.key,
    item: item.key,
    session: context.session,
    ...(project.deleteRemoteBranches ? { deleteRemoteBranch: true } : {}),
  };
  const records = await landingsOf(context, item.key);
  const first = landingForMerge(records, request.lane?.branch ?? null);
  let answer = await context.landings.merge(
    request,
    landingInput(project, item.key, first),
    requestId,
  );
  // From the landing the item is on to its attempt, and from one that was opened meanwhile to the one that is open.
  for (let hop = 1; answer.outcome === "reland" && hop <= hops; hop += 1) {
    const attempt = landingInput(project, item.key, answer);
    answer = await context.landings.merge(request, attempt, `${requestId}:${hop}`);
  }
  return answered(item.key, answer);
}

export const mergeItem = defineFunction({
  name: "merge.item",
  since: "0.1.0",
  summary: "Land the exact verified candidate of an item, or say where its landing stands.",
  effect: "write",
  input: asked,
  output,
  exit,
  run: land,
});

/** A function of its own, so that an older server refuses it with its serving floor and still lands items (A9.6). */
export const mergeRetryFlake = defineFunction({
  name: "merge.retry_flake",
  since: "0.2.0",
  summary: "Land an item again after a failed merge train, with the one retry that may be claimed.",
  effect: "write",
  input: asked.extend({ retryFlake: words("TEST: why the change cannot explain it", 2000) }),
  output,
  exit,
  run: land,
});
