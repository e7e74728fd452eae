/** Histories replay with the workflows of today (A15.5, case E10). */
import { Worker, type WorkflowBundleOption } from "@temporalio/worker";
import type { History } from "@temporalio/common/lib/proto-utils.js";
import { landingWorkflows, runsOf } from "./workflows.js";
import { listLandings } from "../../db/landings.js";
import { workflowId } from "../../workflows/names.js";
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
    const listed = await landingWorkflows(world);
    const unlisted = (await listLandings(world.db, world))
      // An attempt that was superseded before anything was asked of it never had a workflow to list.
      .filter(({ version, attempt }) => attempt === 0 || version > 1)
      .map(({ item, attempt }) => workflowId.landing(item, attempt))
      .filter((id) => !listed.has(id));
    if (unlisted.length > 0) return unlisted.map((id) => `Temporal lists no ${id}`);
    const histories: Recorded[] = [];
    for (const { workflowId: id, runId } of await runsOf(world)) {
      const handle = world.temporal.workflow.getHandle(id, runId);
      histories.push({
        workflowId: `${id}, run ${runId}`,
        history: await handle.fetchHistory(),
      });
    }
    return unlikeToday(world.workflowBundle, histories);
  },
};
