import { expect, it } from "vitest";
import { Story } from "../scenarios/story.js";

const fault = { match: { route: "/meta$" }, status: 502 };

// The test itself passes; its end finds what is wrong, or does not.
it.fails("a story that ends with a fault that nobody met fails", async () => {
  const story = await Story.begin();
  expect(story.simulator.services.faults.add(fault).used).toBe(0);
});

it("the same story passes once the fault was met", async () => {
  const story = await Story.begin();
  story.simulator.services.faults.add(fault);
  expect((await fetch(`${story.simulator.apiUrl}/meta`)).status).toBe(502);
});
