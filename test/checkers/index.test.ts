import { expect, it } from "vitest";
import { Story } from "../scenarios/story.js";
import { check } from "./index.js";

it("one error names every rule that is broken and what was seen; a world as it should be passes", async () => {
  const story = await Story.begin();
  await check(await story.settledWorld());
  const pushed = await story.simulator.world.commitFiles(story.repository, {
    branch: "main",
    files: { "by-hand.txt": "by hand\n" },
    message: "By hand",
  });
  const error = await check(await story.settledWorld()).catch((caught: unknown) => caught);
  expect(String(error).split("\n")).toEqual([
    "Error: broken: every commit on the gate branch was qualified as that exact candidate",
    `  ${pushed} is on the gate branch and no pull request merged as it`,
    "broken: receipts equal the history of the gate branch",
    `  ${pushed} is on \`main\` and has 0 receipts`,
  ]);
  story.byPeople.push(pushed);
});
