/**
 * Records the histories of this version: `npm run histories:record`, once before a release (CONTRIBUTING.md). It tells
 * the stories again and keeps one run of each workflow they had.
 */
import { hostname } from "node:os";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { History } from "@temporalio/common/lib/proto-utils.js";
import { beforeAll, expect, it } from "vitest";
import { runsOf } from "../checkers/workflows.js";
import type { Story } from "../scenarios/story.js";
import { recordedVersions, writeHistory } from "./recorded.js";
import { impatientTemporal, stoppedHeldAndLanded, waitedForReentry } from "./stories.js";
import type { MachineWords } from "./without-machine.js";

const { version } = JSON.parse(
  await readFile(new URL("../../package.json", import.meta.url), "utf8"),
) as { readonly version: string };

beforeAll(async () => {
  // What a release recorded is what its running workflows did: it is never recorded again.
  if ((await recordedVersions()).includes(version)) {
    throw new Error(
      `test/histories/${version} is there; delete it only if ${version} is not released`,
    );
  }
});

it("a landing with a stop, a hold and a restart, its refreshes and an upkeep pass", async () => {
  const { story } = await stoppedHeldAndLanded();
  // What a webhook asks for, and what the schedule starts each minute.
  await story.context.landings.touch(story.project, [1]);
  await story.temporal.schedule.getHandle(`upkeep:${story.project}`).trigger();
  await expect.poll(() => typesOf(story), { timeout: 10_000 }).toContain("upkeep");
  expect(await record(story, "stopped-held-landed")).toBeGreaterThan(3);
});

it("a landing that waits for the entries ahead and re-enters", async () => {
  const { story } = await waitedForReentry();
  expect(await record(story, "waited-for-reentry")).toBe(3);
});

it("a landing that continues as new", async () => {
  const { story } = await stoppedHeldAndLanded(await impatientTemporal(40));
  expect(await record(story, "continued")).toBeGreaterThan(2);
});

async function typesOf(story: Story): Promise<string[]> {
  const runs = await runsOf(await story.settledWorld());
  return runs.filter(({ status }) => status.name === "COMPLETED").map(({ type }) => type);
}

/** Keeps every run of the landings, and of the other workflows one of each kind; answers how many. */
async function record(story: Story, name: string): Promise<number> {
  const runs = (await runsOf(await story.settledWorld())).sort(
    (one, other) => one.startTime.getTime() - other.startTime.getTime(),
  );
  const kept = new Map<string, History>();
  const kinds = new Set<string>();
  for (const { type, workflowId, runId } of runs) {
    const history = await story.temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const kind = type === "landing" ? runId : `${type}, ${askedBy(history)}`;
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    const number = [...kept.keys()].filter((one) => one.startsWith(`${type}-`)).length + 1;
    kept.set(`${type}-${number}`, history);
  }
  for (const [run, history] of kept) {
    await writeHistory({ version, name: `${name}.${run}` }, history, wordsOf(story));
  }
  return kept.size;
}

/** Whether signals, updates, or both made a run do its work. */
function askedBy({ events }: History): string {
  const signaled = events?.some((event) => event.workflowExecutionSignaledEventAttributes);
  const updated = events?.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
  return `${String(signaled)} ${String(updated)}`;
}

function wordsOf(story: Story): MachineWords {
  return [
    [story.home, "/lanes"],
    // Stack traces name the files of the program.
    [fileURLToPath(new URL("../..", import.meta.url)), "/yoke/"],
    [new URL(story.simulator.url).host, "github.test"],
    [`${process.pid}@${hostname()}`, "worker@host"],
    [hostname(), "host"],
  ];
}
