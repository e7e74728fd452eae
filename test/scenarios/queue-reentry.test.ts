import { describe, expect, it } from "vitest";
import { Story, type Lane } from "./story.js";

interface Behind {
  readonly story: Story;
  readonly first: { readonly item: string; readonly lane: Lane };
  readonly second: { readonly item: string; readonly lane: Lane };
}

/** Ends the checks of one head. */
async function pass(story: Story, lane: Lane): Promise<void> {
  const { world } = story.simulator;
  const held = world.heldJobs(story.repository).filter(({ run }) => run.headSha === lane.head);
  for (const { job } of held) await world.releaseJob(job.id, "pass");
  await world.idle();
}

/** Two items change one file; the second is behind the first in the queue and cannot merge there. */
async function behind(): Promise<Behind> {
  const story = await Story.begin();
  const first = await story.lane("Plant tea", "README.md");
  const second = await story.lane("Plant coffee", "README.md");
  for (const { item, lane } of [first, second]) {
    await story.qualify(item, lane);
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
    await pass(story, lane);
  }
  await story.settle(second.item, "waiting_reentry");
  return { story, first, second };
}

const why = async ({ story, second }: Behind) =>
  (await story.context.landings.view(second.item))?.why ?? "";

const receipts = async ({ story, second }: Behind) => {
  const { section } = await story.ok<{ section: { body: string } }>("items.section.get", {
    item: second.item,
    section: "Queue re-entry receipts",
  });
  return section.body;
};

const entriesOf = ({ story, second }: Behind) =>
  story.simulator.world
    .pullRequests(story.repository)
    .find(({ headSha }) => headSha === second.lane.head)
    ?.timeline.filter(({ type }) => type === "AddedToMergeQueueEvent").length;

describe("automatic re-entry behind a queue conflict", () => {
  it("A7.2 A7.4 waits until the entries ahead have left, and keeps a receipt of the request that was accepted", async () => {
    const at = await behind();
    const { story, first, second } = at;
    await story.upkeep();
    expect(entriesOf(at)).toBe(1);
    expect(await why(at)).toContain("#1");
    expect(await receipts(at)).toBe("");

    await story.ok("github.merge_queue.hold", { item: first.item });
    await story.settle(second.item, "pending");
    expect(entriesOf(at)).toBe(2);
    const body = await receipts(at);
    expect(body).toContain("pull request: 2\n");
    expect(body).toContain(`head: ${second.lane.head}\n`);
    expect(body).toMatch(/^entries ahead at .*: #1$/m);
    expect(body).toContain("proves no conflict): README.md");
    expect(body).toMatch(/^accepted at: \d{4}-/m);
    await story.finishChecks();
    await story.settle(second.item, "landed");
    expect(await story.merge(second.item, second.lane.path)).toMatchObject({ ok: true, exit: 0 });
  });

  it("A7.2 a conflict with the base afterwards stops, and asks for a rebase", async () => {
    const at = await behind();
    const { story, first, second } = at;
    await story.finishChecks();
    await story.settle(first.item, "landed");
    await story.settle(second.item, "stopped");
    expect(entriesOf(at)).toBe(1);
    const { notices } = await story.ok<{ notices: { reason: string; next: string }[] }>(
      "notices.list",
      { item: second.item },
    );
    const stopped = notices.find(({ reason }) => reason !== null);
    expect(stopped).toMatchObject({ reason: "conflicts_with_base" });
    expect(stopped?.next).toContain("Rebase");
    expect(await receipts(at)).toBe("");
  });

  it("A7.2 A5.8 a hold switches it off", async () => {
    const at = await behind();
    const { story, first, second } = at;
    await story.ok("github.merge_queue.hold", { item: second.item });
    await story.settle(second.item, "held");
    await story.ok("github.merge_queue.hold", { item: first.item });
    await story.settle(first.item, "held");
    await story.upkeep();
    await story.settle(second.item, "held");
    expect(entriesOf(at)).toBe(1);
    expect(await receipts(at)).toBe("");
  });
});
