import { describe, expect, it } from "vitest";
import { receiveDelivery } from "../../db/deliveries.js";
import { saveLanding } from "../../db/landings.js";
import { refuse } from "../../src/core/refusals.js";
import { Refused } from "../../src/functions/context.js";
import { stopWithin } from "../../src/server/stop-within.js";
import { after, noon, sampleItem, stateOf } from "../db/sample.js";
import { withWorld } from "./world.js";
import { about, hookedProject, servesWorlds, storedDeliveries } from "./bench.js";

describe("deliveries that were not finished", () => {
  const given = withWorld();
  const serve = servesWorlds();

  async function project() {
    const { world } = given;
    const one = await hookedProject(world);
    const item = await sampleItem(world.db, one);
    await saveLanding(world.db, { state: stateOf(item), version: 1, why: "armed", at: noon });
    return one;
  }
  const touchesOf = (key: string) =>
    given.world.landings.touched.filter((touch) => touch.project === key);

  it("case E01 one that a dead process recorded is handled by the next process at its start", async () => {
    const { world } = given;
    const { key, connection } = await project();
    const delivery = { connection, event: "pull_request", action: "dequeued", at: noon };
    await receiveDelivery(world.db, { ...delivery, guid: "left-1" });
    await receiveDelivery(world.db, { ...delivery, guid: "left-2" });
    const served = await serve(world);
    served.intake.start();
    await expect
      .poll(() => storedDeliveries(world, connection))
      .toEqual([
        { guid: "left-1", processed: true },
        { guid: "left-2", processed: true },
      ]);
    expect(touchesOf(key)).toEqual([{ project: key, pullRequests: [12] }]);
  });

  it("case E01 one whose signal failed stays unhandled, is not refused as a repeat, and is tried again", async () => {
    const { world } = given;
    const one = await project();
    const served = await serve(world, { recoverEveryMs: 20, youngMs: 0 });
    world.landings.touching = () =>
      Promise.reject(new Refused([refuse("temporal_unavailable", "Temporal is away.")]));
    const sent = { guid: "failed", payload: about(one, 12) };
    expect((await served.deliver(one.connection, sent)).status).toBe(202);
    await expect
      .poll(() => served.logged)
      .toContain("warn: delivery not handled; it is tried again");
    expect(await storedDeliveries(world, one.connection)).toEqual([
      { guid: "failed", processed: false },
    ]);
    const again = await served.deliver(one.connection, sent);
    expect(await again.json()).toEqual({ ok: true, accepted: true });
    world.landings.touching = () => Promise.resolve();
    served.intake.start();
    await expect
      .poll(() => storedDeliveries(world, one.connection))
      .toEqual([{ guid: "failed", processed: true }]);
  });

  it("case E01 one whose signal hangs does not keep the server from stopping, and the next process handles it", async () => {
    const { world } = given;
    const { key, connection, repositoryId } = await project();
    const served = await serve(world);
    let giveUp = (): void => undefined;
    world.landings.touching = () =>
      new Promise((_resolve, reject) => {
        giveUp = () => reject(new Error("the process is gone"));
      });
    await served.deliver(connection, { guid: "hung", payload: about({ repositoryId }, 12) });
    await expect.poll(() => touchesOf(key)).toHaveLength(1);
    expect(await stopWithin(20, served.intake.stop())).toBe(false);
    expect(await storedDeliveries(world, connection)).toEqual([{ guid: "hung", processed: false }]);
    giveUp();
    world.landings.touching = () => Promise.resolve();
    const next = await serve(world);
    next.intake.start();
    await expect
      .poll(() => storedDeliveries(world, connection))
      .toEqual([{ guid: "hung", processed: true }]);
    expect(await stopWithin(5_000, next.intake.stop())).toBe(true);
  });

  it("case E02 after the start, those that a living sibling has just received are left to it", async () => {
    const { world } = given;
    const { key, connection } = await project();
    const served = await serve(world, { recoverEveryMs: 5, youngMs: 45_000 });
    const delivery = { connection, event: "push", action: null };
    await receiveDelivery(world.db, { ...delivery, guid: "before", at: noon });
    served.intake.start();
    await expect
      .poll(() => storedDeliveries(world, connection))
      .toEqual([{ guid: "before", processed: true }]);
    const before = touchesOf(key).length;
    await receiveDelivery(world.db, { ...delivery, guid: "young", at: after(30) });
    await receiveDelivery(world.db, { ...delivery, guid: "aged", at: after(1) });
    world.time = after(50);
    await expect
      .poll(() => storedDeliveries(world, connection))
      .toContainEqual({ guid: "aged", processed: true });
    expect(await storedDeliveries(world, connection)).toContainEqual({
      guid: "young",
      processed: false,
    });
    world.time = after(80);
    await expect
      .poll(() => storedDeliveries(world, connection))
      .toContainEqual({ guid: "young", processed: true });
    world.time = noon;
    expect(touchesOf(key).length).toBeGreaterThan(before);
  });
});
