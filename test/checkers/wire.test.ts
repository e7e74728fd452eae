import { expect, it } from "vitest";
import { Story } from "../scenarios/story.js";
import { expectedRequests, usedFaults } from "./wire.js";
import type { SimulatedWorld } from "./world.js";

it("a request that GitHub does not know, and a fault that nobody met, are seen; an ordinary story has neither", async () => {
  const story = await Story.begin();
  const world = (await story.settledWorld()) as SimulatedWorld;
  expect(await expectedRequests.violations(world)).toEqual([]);
  expect(await usedFaults.violations(world)).toEqual([]);
  const { faults, log } = world.simulator.services;

  await fetch(`${story.simulator.apiUrl}/repos/acme/shop/nonsense`);
  expect(await expectedRequests.violations(world)).toEqual([
    expect.stringContaining("/repos/acme/shop/nonsense"),
  ]);
  log.reset();

  faults.add({ match: { route: "/meta$" }, status: 502, times: 2 });
  await fetch(`${story.simulator.apiUrl}/meta`);
  expect(await usedFaults.violations(world)).toEqual([expect.stringContaining("acted 1 times")]);
  await fetch(`${story.simulator.apiUrl}/meta`);
  expect(await usedFaults.violations(world)).toEqual([]);
  log.reset();
});
