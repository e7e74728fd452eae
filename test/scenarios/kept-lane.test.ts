import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { refuse } from "../../src/core/refusals.js";
import { Story } from "./story.js";

describe("a lane that close-out kept", () => {
  it("A11.4 A1.1 case A24 case A44 goes when the command is entered again, once nothing would be lost", async () => {
    const story = await Story.begin();
    const { item, lane } = await story.lane("Sell tea");
    await story.qualify(item, lane);
    await story.merge(item, lane.path);
    await story.finishChecks();
    await story.finishChecks();
    await story.settle(item, "landed");

    const work = join(lane.path, "not-committed.txt");
    await writeFile(work, "work\n");
    const kept = await story.merge(item, lane.path);
    expect(kept).toMatchObject({ ok: true, exit: 0, output: { lane: { removed: false } } });
    const still = await story.merge(item, lane.path);
    expect(still).toMatchObject({ ok: true, exit: 0, output: { lane: { removed: false } } });
    expect(existsSync(work)).toBe(true);

    await rm(work);
    const gone = await story.merge(item, lane.path);
    expect(gone).toMatchObject({ ok: true, exit: 0, output: { lane: { removed: true } } });
    expect(existsSync(lane.path)).toBe(false);
  });
});

describe("a lane whose folder somebody removed", () => {
  it("A11.3 lands all the same, and is closed out once the commands of the refusal put it back", async () => {
    const story = await Story.begin();
    const { item, lane } = await story.lane("Sell tea");
    await story.qualify(item, lane);
    await story.merge(item, lane.path);
    await rm(lane.path, { recursive: true });
    // It is armed, and that is what a second terminal is told.
    expect(await story.merge(item, lane.path)).toMatchObject({ ok: true, exit: 9 });
    await story.finishChecks();
    await story.finishChecks();
    await story.settle(item, "landed");
    expect(await story.merge(item, lane.path)).toMatchObject({
      ok: false,
      refusals: [{ code: "lane_unknown" }],
    });

    const repository = join(story.home, "clone", ".git");
    const seen = { repository, path: lane.path, branch: lane.branch };
    const commands = refuse("lane_gone", "Gone.", seen).next.matchAll(/`git ([^`]+)`/g);
    for (const [, command = ""] of commands) await Story.git(story.home, ...command.split(" "));
    expect(await story.merge(item, lane.path)).toMatchObject({
      ok: true,
      exit: 0,
      output: { outcome: "landed", lane: { removed: true } },
    });
  });
});
