import { describe, expect, it } from "vitest";
import { ensureSchedules } from "../../src/functions/upkeep-schedules.js";
import { repeat } from "../../src/server/repeat.js";
import { sampleProject } from "../db/sample.js";
import { withWorld } from "./world.js";

describe("upkeep schedules", () => {
  const given = withWorld();

  it("A4.1 each project gets its schedule once, one added while Temporal was away included", async () => {
    const { world } = given;
    const first = await sampleProject(world.db);
    const made = new Set<string>();
    world.landings.scheduling = () => Promise.reject(new Error("away"));
    await expect(ensureSchedules(world.context(), made)).rejects.toThrow("away");
    expect(world.landings.scheduled).toEqual([]);
    world.landings.scheduling = () => Promise.resolve();
    await ensureSchedules(world.context(), made);
    const second = await sampleProject(world.db);
    await ensureSchedules(world.context(), made);
    await ensureSchedules(world.context(), made);
    expect(world.landings.scheduled).toEqual([first.key, second.key]);
  });

  it("is repeated after a failure, and not after it was stopped", async () => {
    let runs = 0;
    const failures: unknown[] = [];
    const repeated = repeat({
      everyMs: 1,
      retryMs: 1,
      failed: (error) => failures.push(error),
      run: () => {
        runs += 1;
        return runs < 3 ? Promise.reject(new Error("away")) : Promise.resolve();
      },
    });
    await expect.poll(() => runs).toBeGreaterThan(4);
    await repeated.stop();
    const then = runs;
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toBe(then);
    expect(failures).toHaveLength(2);
  });
});
