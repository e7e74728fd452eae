/** The stories whose histories are kept: what a landing can live through, each told once. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startTemporal } from "../../src/embedded/temporal.js";
import { findTemporal } from "../../src/embedded/temporal-binary.js";
import { Story, type Lane } from "../scenarios/story.js";
import type { TemporalService } from "../setup/answers.js";

export interface Told {
  readonly story: Story;
  /** The item whose landing it is about. */
  readonly item: string;
}

/** Told to a holder: a group fails, the item is armed again, held, armed again with another worker, lands, and is closed out. */
export async function stoppedHeldAndLanded(temporal?: TemporalService): Promise<Told> {
  const story = await Story.begin(temporal === undefined ? {} : { temporal });
  const { item, lane } = await story.lane("Sell tea");
  const { project, host } = story;
  const wakeRoute = { kind: "file", path: join(story.home, "mailbox.jsonl") };
  await story.ok("sessions.register", { id: project, host, project, wakeRoute });
  await story.ok("claim.take", { item, session: project });
  await story.qualify(item, lane);
  await armed(story, item, lane);
  await finishHead(story);
  await story.finishChecks("fail");
  await story.settle(item, "stopped");
  await armed(story, item, lane);
  await story.ok("github.merge_queue.hold", { item });
  await story.settle(item, "held");
  await story.worker.restart();
  await armed(story, item, lane);
  await story.finishChecks();
  await story.worker.restart();
  await story.finishChecks();
  await story.settle(item, "landed");
  const landed = await story.merge(item, lane.path);
  if (landed.exit !== 0) throw new Error(`not closed out: ${JSON.stringify(landed)}`);
  return { story, item };
}

/** Told to nobody: two items change one file, and the second waits for the first, which fails, and then takes its own turn. */
export async function waitedForReentry(): Promise<Told> {
  const story = await Story.begin();
  const first = await story.lane("Plant tea", "README.md");
  const second = await story.lane("Plant coffee", "README.md");
  await story.qualify(first.item, first.lane);
  await story.qualify(second.item, second.lane);
  await armed(story, first.item, first.lane);
  await finishHead(story);
  await armed(story, second.item, second.lane);
  const { world } = story.simulator;
  const head = world
    .heldJobs(story.repository)
    .filter(({ run }) => run.headSha === second.lane.head);
  for (const { job } of head) await world.releaseJob(job.id, "pass");
  await story.settle(second.item, "waiting_reentry");
  await finishHead(story, "fail");
  await story.settle(first.item, "stopped");
  await story.settle(second.item, "pending");
  await story.finishChecks();
  await story.settle(second.item, "landed");
  return { story, item: second.item };
}

async function armed(story: Story, item: string, lane: Lane): Promise<void> {
  const answer = await story.merge(item, lane.path);
  if (answer.exit !== 9) throw new Error(`not armed: ${JSON.stringify(answer)}`);
}

/** Ends the checks that are held now; those that begin when the queue builds a group stay held. */
async function finishHead(story: Story, conclusion: "pass" | "fail" = "pass"): Promise<void> {
  const { world } = story.simulator;
  for (const { job } of world.heldJobs(story.repository))
    await world.releaseJob(job.id, conclusion);
  await world.idle();
}

/**
 * A Temporal that tells workflows to hand over after `events` of them, as every server does after thousands: its own
 * setting, given to the program as an operator gives it.
 */
export async function impatientTemporal(events: number): Promise<TemporalService> {
  const folder = await mkdtemp(join(tmpdir(), "yoke-temporal-"));
  const { path } = await findTemporal({ log: () => undefined });
  const binary = join(folder, "temporal");
  const setting = `limit.historyCount.suggestContinueAsNew=${events}`;
  await writeFile(binary, `#!/bin/sh\nexec '${path}' "$@" --dynamic-config-value ${setting}\n`);
  await chmod(binary, 0o755);
  const namespace = "default";
  const server = await startTemporal({
    dataDir: null,
    binary,
    headless: true,
    namespace,
    log: () => undefined,
    logFile: join(folder, "temporal.log"),
  });
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return { address: server.address, namespace };
}
