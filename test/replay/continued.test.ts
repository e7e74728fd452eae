import type { Client } from "@temporalio/client";
import type { History } from "@temporalio/common/lib/proto-utils.js";
import { expect, it } from "vitest";
import { listNotices } from "../../db/notices.js";
import { impatientTemporal, stoppedHeldAndLanded } from "./stories.js";

it("A15.5 a long landing continues as new, with everything that keeps its effects single, and lands", async () => {
  const { story, item } = await stoppedHeldAndLanded(await impatientTemporal(40));
  const runs = await lengthsOfRuns(story.temporal, `landing:${item}`);
  expect(runs.length).toBeGreaterThan(1);
  // Handed over at the first rest after the server asked for it, long before its limit.
  expect(Math.max(...runs)).toBeLessThan(400);
  const notices = await listNotices(story.context.db, { item });
  expect(notices.map(({ kind, episode }) => `${episode}:${kind}`).sort()).toEqual([
    "1:stopped",
    "3:landed",
  ]);
});

/** Events of each run of a workflow, the newest run first, back along its continue-as-new. */
async function lengthsOfRuns(temporal: Client, workflowId: string): Promise<number[]> {
  const lengths: number[] = [];
  let runId: string | undefined;
  do {
    const history: History = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const [began] = history.events ?? [];
    lengths.push(history.events?.length ?? 0);
    runId = began?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined;
  } while (runId !== undefined && runId !== "");
  return lengths;
}
