import { describe, expect, it } from "vitest";

import { RealClock, SteppedClock } from "../../../src/simulator/clock.js";
import { World } from "../../../src/simulator/world/world.js";
import { aWorld, enqueued, entryOf, finish, groupOf, MINUTE, openPullRequest } from "./a-world.js";

describe("the stepped clock", () => {
  it("S10 stands still, and runs what is due in order, at its own time", async () => {
    const clock = new SteppedClock(1000);
    const ran: [string, number][] = [];
    const note = (name: string) => () => void ran.push([name, clock.now()]);
    clock.schedule(1300, note("late"));
    clock.schedule(1100, () => {
      note("early")();
      clock.schedule(1200, note("set on the way"));
    });
    clock.schedule(1100, note("same time, second"));
    const cancel = clock.schedule(1150, note("cancelled"));
    cancel();
    expect(clock.now()).toBe(1000);
    await clock.advance(250);
    expect(ran).toEqual([
      ["early", 1100],
      ["same time, second", 1100],
      ["set on the way", 1200],
    ]);
    expect(clock.now()).toBe(1250);
    await Promise.all([clock.advance(50), clock.advance(50)]);
    expect([ran.at(-1), clock.now()]).toEqual([["late", 1300], 1350]);
    expect(() => clock.advance(-1)).toThrow(RangeError);
  });

  it("S10 one step runs a whole story of the queue", async () => {
    const at = await aWorld({ jobs: [{ name: "ci", outcome: "pass", duration: 2 * MINUTE }] });
    const pullRequest = await openPullRequest(at, "one");
    await at.world.enableAutoMerge(at.repository, pullRequest.number, { actor: at.user });
    await at.world.advance(4 * MINUTE);
    expect(pullRequest).toMatchObject({ state: "MERGED", mergedAt: "2026-03-01T12:04:00.000Z" });
    expect(
      pullRequest.timeline.map(({ type, createdAt }) => [type, createdAt.slice(14, 19)]),
    ).toEqual([
      ["AutoMergeEnabledEvent", "00:00"],
      ["AddedToMergeQueueEvent", "02:00"],
      ["MergedEvent", "04:00"],
      ["ClosedEvent", "04:00"],
      ["RemovedFromMergeQueueEvent", "04:00"],
    ]);
  });
});

describe("the real clock", () => {
  it("S10 runs timers by itself, is busy until then, and cannot be stepped", async () => {
    const at = await aWorld();
    await at.world.close();
    const world = new World({
      dataDir: at.dataDir,
      clock: new RealClock(),
      deliver: async () => ({ status: 200 }),
    });
    const repository = world.repository("acme", "shop");
    if (repository === null) throw new Error("the repository is gone");
    await world.setWorkflows(repository, [
      {
        name: "P",
        path: "p.yml",
        on: ["push"],
        jobs: [{ name: "p", outcome: "pass", duration: 60 }],
      },
    ]);
    await world.commitFiles(repository, { branch: "main", files: { "p.txt": "p" }, message: "P" });
    expect(world.busy()).toEqual(["a job that is running"]);
    await world.idle();
    expect(world.workflowRuns(repository)[0]?.conclusion).toBe("success");
    await expect(world.advance(1)).rejects.toMatchObject({ type: "CONFLICT" });
    await world.close();
  });
});

describe("a restart", () => {
  it("S9 keeps everything: repositories, queue, tokens, and what is due", async () => {
    const at = await aWorld({ queue: { checkResponseTimeoutMinutes: 10 } });
    const first = await enqueued(at, "one");
    const second = await enqueued(at, "two");
    const token = await at.world.createPersonalToken("robin");
    await at.world.close();

    const world = new World({
      dataDir: at.dataDir,
      clock: at.clock,
      deliver: async () => ({ status: 200 }),
    });
    const repository = world.repository("ACME", "Shop");
    if (repository === null) throw new Error("the repository is gone");
    const again = { ...at, world, repository };
    expect(world.authenticate(`Bearer ${token}`)).toMatchObject({ kind: "user" });
    expect(entryOf(again, first)?.group).toEqual(entryOf(at, first)?.group);
    await finish(again, groupOf(again, first));
    expect(world.pullRequest(repository, first.number)?.state).toBe("MERGED");
    await world.advance(10 * MINUTE);
    expect(entryOf(again, second)).toBeNull();
    await world.close();
    await expect(world.createUser("late")).rejects.toThrow(/closed/);
  });
});
