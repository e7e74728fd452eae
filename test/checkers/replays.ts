/** Histories replay with the workflows of today (A15.5, case E10). */
import { Worker, type WorkflowBundleOption } from "@temporalio/worker";
import type { History } from "@temporalio/common/lib/proto-utils.js";
import { itemsWithLanding, runsOf } from "./workflows.js";
import { listLandings } from "../../db/landings.js";
import type { Rule } from "./world.js";

/** A history and what to call it. */
export interface Recorded {
  readonly workflowId: string;
  readonly history: History;
}

/** What does not replay, and how it differs. */
export async function unlikeToday(
  workflowBundle: WorkflowBundleOption,
  histories: readonly Recorded[],
): Promise<string[]> {
  const seen: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle },
    histories,
  )) {
    if (error !== undefined) seen.push(`${workflowId}: ${error.message}`);
  }
  return seen;
}

export const replays: Rule = {
  name: "histories replay with the workflows of today",
  async violations(world) {
    // Temporal lists a workflow a moment after it began.
    const listed = await itemsWithLanding(world);
    const unlisted = (await listLandings(world.db, world)).filter(({ item }) => !listed.has(item));
    if (unlisted.length > 0) {
      return unlisted.map(({ item }) => `Temporal lists no landing of ${item}`);
    }
    const histories: Recorded[] = [];
    for (const { workflowId, runId } of await runsOf(world)) {
      const handle = world.temporal.workflow.getHandle(workflowId, runId);
      histories.push({
        workflowId: `${workflowId}, run ${runId}`,
        history: await handle.fetchHistory(),
      });
    }
    return unlikeToday(world.workflowBundle, histories);
  },
};
