import type { Client } from "@temporalio/client";
import type { History } from "@temporalio/common/lib/proto-utils.js";
import { expect, it } from "vitest";
import { listNotices } from "../../db/notices.js";
import { Story } from "../scenarios/story.js";
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

it("A15.5 case E08 no run grows with how often it is asked: each hands over when the server says so, long before its limit", async () => {
  const story = await Story.begin({ temporal: await impatientTemporal(40) });
  const { item, lane } = await story.lane("Sell tea");
  await story.qualify(item, lane);
  for (let round = 0; round < 12; round += 1) {
    // From three terminals, and while GitHub is read: none may meet a run that hands over and lose its answer.
    const asked = [1, 2, 3].map(() => story.merge(item, lane.path));
    await story.context.landings.touch(story.project, [1]);
    const [answers] = await Promise.all([Promise.all(asked), story.upkeep()]);
    expect(answers.map(({ exit }) => exit)).toEqual([9, 9, 9]);
  }
  const runs = await lengthsOfRuns(story.temporal, `landing:${item}`);
  expect(runs.length).toBeGreaterThan(3);
  expect(Math.max(...runs)).toBeLessThan(200);
  await story.finishChecks();
  await story.finishChecks();
  await story.settle(item, "landed");
  expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 0 });
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
