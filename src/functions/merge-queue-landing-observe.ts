/** `merge_queue.landing.observe`: where a landing stands, from its record while that is fresh (A4.2, A4.3). */
import { z } from "zod";
import { hasEnded } from "../core/landing/attempt.js";
import { shownLanding } from "../core/landing/landings-of-item.js";
import type { LandingRecord, Project } from "../core/records.js";
import type { FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { itemKey } from "./input-shapes.js";
import { landingsOf } from "./landings-of.js";
import { landingViewSchema, viewOfRecord } from "./landing-view.js";
import { itemShape } from "./record-shapes.js";
import { storedItem, storedProject } from "./stored.js";

export const mergeQueueLandingObserve = defineFunction({
  name: "merge_queue.landing.observe",
  since: "0.1.0",
  summary: "Say where an item's landing stands; an old record is refreshed from GitHub first.",
  effect: "read",
  input: z.strictObject({ item: itemKey }),
  output: z.object({
    item: itemShape,
    /** What the landing's workflow last said; null while nothing was asked of it. */
    landing: landingViewSchema.nullable(),
    stateAt: z.string().nullable(),
    /** What GitHub last said, which the workflow may still have to take up. */
    observed: z
      .object({
        state: z.enum(["OPEN", "MERGED", "CLOSED"]),
        head: z.string(),
        mergeCommit: z.string().nullable(),
        readAt: z.string(),
      })
      .nullable(),
    /** When the project was last read from GitHub in full. */
    refreshedAt: z.string().nullable(),
    /** True when this call had the project read. */
    refreshed: z.boolean(),
    /** Why the project could not be read; the answer is then as old as its times say. */
    refreshError: z.object({ code: z.string(), message: z.string() }).nullable(),
  }),
  async run(context, { item: key }) {
    const stored = await read(context, key);
    if (!isOld(stored, context.now())) return answer(stored, { refreshed: false });
    const { refreshError } = await context.landings.refreshAll(stored.project.key);
    return answer(await read(context, key), { refreshed: true, refreshError });
  },
});

async function read(context: FunctionContext, key: string) {
  const item = await storedItem(context, key);
  const [project, records] = await Promise.all([
    storedProject(context, item.project),
    landingsOf(context, key),
  ]);
  // Whoever waits, waits for the attempt while one is open (A10.5).
  return { item, project, record: shownLanding(records) };
}

/**
 * Not younger than two refresh intervals. Without a pull request there is nothing to read, and what was merged does
 * not change any more: such a record is never old.
 */
function isOld(
  { project, record }: { readonly project: Project; readonly record: LandingRecord | null },
  now: string,
): boolean {
  if (record === null || record.pullRequest === null) return false;
  if (hasEnded(record.state)) return false;
  const newest = Math.max(
    ...[project.refreshedAt, record.observedAt, record.stateAt].map((at) =>
      at === null ? 0 : Date.parse(at),
    ),
  );
  return Date.parse(now) - newest >= 2 * project.upkeepSeconds * 1000;
}

function answer(
  { item, project, record }: Awaited<ReturnType<typeof read>>,
  asked: {
    readonly refreshed: boolean;
    readonly refreshError?: { readonly code: string; readonly message: string } | null;
  },
) {
  const observation = record?.observation ?? null;
  return {
    item,
    landing: record === null ? null : viewOfRecord(record),
    stateAt: record?.stateAt ?? null,
    observed:
      observation === null
        ? null
        : {
            state: observation.state,
            head: observation.head,
            mergeCommit: observation.merge?.commit ?? null,
            readAt: observation.readAt,
          },
    refreshedAt: project.refreshedAt,
    refreshed: asked.refreshed,
    refreshError: asked.refreshError ?? project.refreshError,
  };
}
