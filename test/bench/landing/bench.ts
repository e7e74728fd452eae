/** `npm run bench -- landing`: what a landing costs, in requests and in time (A15). */
import { join } from "node:path";
import type { Figure } from "../figures.js";
import { withInstance } from "../instance.js";
import type { Say } from "../main.js";
import { addProject, held, instant } from "../project.js";
import { Crowd } from "./crowd.js";
import { benchHelp } from "./help.js";
import { benchNoop } from "./noop.js";
import { benchPasses } from "./passes.js";
import { benchThroughput, benchTogether, Lanes } from "./together.js";
import { benchWakeUps } from "./wake-ups.js";

export async function benchLanding(say: Say): Promise<readonly Figure[]> {
  const help = await benchHelp(say);
  say("Starting a yoke of its own, with a simulated GitHub");
  return withInstance(async (instance) => {
    // More requests than an hour of GitHub allows are made here in minutes.
    await instance.github.setLimits({ core: 1_000_000, graphql: 1_000_000 });
    const team = await addProject(instance, "TEAM", { head: held, group: held });
    const rush = await addProject(instance, "RUSH", { head: instant, group: instant });
    const shop = await addProject(instance, "SHOP", { head: held, group: instant });
    try {
      await team.subscribe();
      await rush.subscribe();
      const lanes = await Lanes.of(instance, rush);
      const few = [
        ...(await benchTogether(instance, await Lanes.of(instance, team), say)),
        ...(await benchThroughput(lanes, say)),
        ...(await benchNoop(instance, lanes, say)),
      ];
      const crowd = new Crowd(instance, shop, join(instance.home, "SHOP-token"));
      const many = [
        ...(await benchPasses(instance, shop, crowd, say)),
        ...(await benchWakeUps(instance, shop, crowd, say)),
      ];
      return [...many, ...few, ...help];
    } finally {
      for (const project of [team, rush, shop]) await project.close();
    }
  });
}
