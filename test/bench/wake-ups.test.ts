import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type * as instanceModule from "./instance.js";
import type * as crowdModule from "./landing/crowd.js";
import type * as wakeUpsModule from "./landing/wake-ups.js";
import type * as projectModule from "./project.js";

/** The bench starts the built program, so it runs built itself. */
const built = async <Module>(file: string): Promise<Module> =>
  (await import(pathToFileURL(join("dist", "test", "bench", file)).href)) as Module;

describe("from the webhook to the notice", () => {
  it("A15.2 case E07 what merges one by one and in a burst is told to the holder, none lost and none doubled", async () => {
    const { withInstance } = await built<typeof instanceModule>("instance.js");
    const { addProject, held, instant } = await built<typeof projectModule>("project.js");
    const { Crowd } = await built<typeof crowdModule>("landing/crowd.js");
    const { benchWakeUps } = await built<typeof wakeUpsModule>("landing/wake-ups.js");
    const figures = await withInstance(async (instance) => {
      const shop = await addProject(instance, "SHOP", { head: held, group: instant });
      try {
        const crowd = new Crowd(instance, shop, join(instance.home, "SHOP-token"));
        const load = { beside: 10, single: 5, everyMs: 200, burst: 12 };
        return await benchWakeUps(instance, shop, crowd, () => undefined, load);
      } finally {
        await shop.close();
      }
    });
    const value = new Map(figures.map(({ name, value }) => [name, value]));
    expect(value.get("notices_lost")).toBe(0);
    expect(value.get("notices_doubled")).toBe(0);
    // The bound itself is for 1,000 landings on a quiet machine, and measured by `npm run bench -- landing`.
    expect(value.get("webhook_to_notice_p50_ms_10")).toBeLessThan(10_000);
  }, 180_000);
});
