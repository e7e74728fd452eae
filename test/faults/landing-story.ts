/** The story of the sweep: what the holder of an item does, from its first command to the close-out. */
import { Refused } from "../../src/functions/context.js";
import { workflowId } from "../../workflows/names.js";
import { until } from "../bench/until.js";
import type { Lane, Story } from "../scenarios/story.js";
import type { HolderInbox } from "./holder-inbox.js";

/** Commands a person enters, and passes of upkeep, before the landing counts as lost. */
const patience = 5;

/** A session holds the item; its notices go to the inbox. */
export async function hold(story: Story, item: string, inbox: HolderInbox): Promise<void> {
  const { session } = await story.ok<{ session: { id: string } }>("sessions.register", {
    id: `holder of ${item}`.replaceAll(" ", "-"),
    host: story.host,
    project: story.project,
    wakeRoute: { kind: "http", url: inbox.url },
  });
  await story.ok("claim.take", { item, session: session.id });
}

export async function land(
  story: Story,
  item: string,
  lane: Lane,
  refusals: string[],
): Promise<void> {
  await enter(story, item, lane, ["landing_pending", "landed"], refusals);
  // Checks of the head, then of the group.
  await story.finishChecks();
  await story.finishChecks();
  await noticed(story, item);
  await enter(story, item, lane, ["landed"], refusals);
}

/** The person enters the command, and the same again after a refusal. */
async function enter(
  story: Story,
  item: string,
  lane: Lane,
  wanted: readonly string[],
  refusals: string[],
): Promise<void> {
  let last = "";
  for (let turn = 0; turn < patience; turn += 1) {
    const answer = await story.merge(item, lane.path, {
      result: "tea is sold",
      verification: "npm test",
    });
    if (answer.ok && wanted.includes(answer.output.outcome)) return;
    if (answer.ok) last = answer.output.outcome;
    else {
      last = answer.refusals.map(({ code, message }) => `${code}: ${message}`).join("; ");
      refusals.push(...answer.refusals.map(({ code }) => code));
    }
  }
  throw new Error(`${patience} times entered, and the answer is still: ${last}`);
}

/** Upkeep passes, as the schedule runs them, until the notice of the landing is delivered. */
async function noticed(story: Story, item: string): Promise<void> {
  const delivered = async () => {
    const { notices } = await story.ok<{ notices: { kind: string; deliveredAt: string | null }[] }>(
      "notices.list",
      { item, all: true },
    );
    return notices.some((one) => one.kind === "landed" && one.deliveredAt !== null) ? true : null;
  };
  for (let pass = 1; ; pass += 1) {
    if (!(await passed(story)) && pass < patience) continue;
    try {
      await until("the notice of the landing", delivered, 12_000);
      return;
    } catch (error) {
      if (pass === patience) throw error;
    }
  }
}

/** One pass of upkeep; false when it could not read GitHub, or nobody answered: the schedule has its next one. */
async function passed({ context, project }: Story): Promise<boolean> {
  try {
    return (await context.landings.refreshAll(project)).refreshError === null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return false;
  }
}

/** The workflow ends once its last answer is given. */
export async function ended(story: Story, item: string): Promise<void> {
  const handle = story.temporal.workflow.getHandle(workflowId.landing(item));
  await until(
    "the end of the landing's workflow",
    async () => ((await handle.describe()).status.name === "RUNNING" ? null : true),
    30_000,
  );
}
