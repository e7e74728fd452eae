/**
 * Projections equal the workflows' views. Only two things may differ once a landing is settled, and both mean that the
 * workflow knows of a later reading which decided nothing, so that nothing was stored (A4.8, `Journal.store`):
 *
 * - `lastObservation`: the workflow's is the newer one, of the same pull request.
 * - `why`: then it is the same state told from the newer reading; or it says that GitHub cannot be read now, which is
 *   said in Temporal's web UI until the next reading (`Journal.orLater`).
 */
import { isDeepStrictEqual } from "node:util";
import { WorkflowNotFoundError } from "@temporalio/client";
import { listLandings } from "../../db/landings.js";
import type { LandingRecord } from "../../src/core/records.js";
import { landingView } from "../../workflows/landing.js";
import { workflowId, type LandingView } from "../../workflows/names.js";
import { landingWorkflows } from "./workflows.js";
import type { Rule, World } from "./world.js";

/** Time for a worker to answer a query; a story that stopped its worker starts it again before it ends. */
const answerMs = 15_000;

export const projections: Rule = {
  name: "projections equal the workflows' views",
  async violations(world) {
    const records = new Map(
      (await listLandings(world.db, world)).map((record) => [
        workflowId.landing(record.item, record.attempt),
        record,
      ]),
    );
    const ids = new Set([...records.keys(), ...(await landingWorkflows(world))]);
    const seen: string[] = [];
    for (const id of [...ids].sort()) {
      const view = await viewOf(world, id);
      const record = records.get(id) ?? null;
      // An attempt that nothing was asked of yet has no workflow.
      if (view === null && record !== null && record.attempt > 0 && record.version === 1) continue;
      const difference = differs(record, view);
      if (difference !== null) seen.push(`${record?.item ?? id}: ${difference}`);
    }
    return seen;
  },
};

async function viewOf({ temporal }: World, id: string): Promise<LandingView | null> {
  try {
    return await temporal.withDeadline(Date.now() + answerMs, () =>
      temporal.workflow.getHandle(id).query(landingView),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** What a record and a view disagree on; null when they tell the same. */
export function differs(record: LandingRecord | null, view: LandingView | null): string | null {
  if (view === null) return record === null ? null : "it has a record and no workflow";
  if (record === null) {
    return view.version === 0
      ? null
      : `its workflow is at version ${view.version}, and no record is stored`;
  }
  if (record.version !== view.version) {
    return `the record is at version ${record.version}, the workflow at ${view.version}`;
  }
  const { lastObservation: stored, ...state } = record.state;
  const { lastObservation: held, ...viewed } = view.state;
  for (const key of new Set([...Object.keys(state), ...Object.keys(viewed)]) as Set<
    keyof typeof state
  >) {
    if (!isDeepStrictEqual(state[key], viewed[key])) {
      return `${key} is ${JSON.stringify(state[key])} in the record, ${JSON.stringify(viewed[key])} in the workflow`;
    }
  }
  if (isDeepStrictEqual(stored, held)) {
    const unreadable = view.why.startsWith("waiting: GitHub could not be read");
    return record.why === view.why || unreadable
      ? null
      : `the record says "${record.why}", the workflow "${view.why}"`;
  }
  const newer = held !== null && (stored === null || held.readAt >= stored.readAt);
  return newer ? null : "the record was decided from a reading that the workflow does not have";
}
