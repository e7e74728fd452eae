import { expect, it } from "vitest";
import { Story } from "./story.js";

it("a wait that gives up says what is busy", async () => {
  const story = await Story.begin();
  const { item, lane } = await story.lane("Sell tea");
  await story.qualify(item, lane);
  await story.merge(item, lane.path);
  const error = await story
    .settle(item, "landed", { patienceMs: 500 })
    .catch((caught: unknown) => caught);
  const lines = String(error).split("\n  ");
  expect(lines[0]).toBe(`Error: ${item} did not settle as landed`);
  expect(lines[1]).toContain("it is pending");
  expect(lines).toContain("checks held by the test: ci");
  expect(lines).toContain("pull requests: #1 OPEN, merge-when-ready");
  // Its twin: the same wait ends once the test lets the checks go.
  await story.finishChecks();
  await story.finishChecks();
  await story.settle(item, "landed");
});
