import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
