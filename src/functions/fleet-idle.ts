/** `fleet.idle`: who has nothing to do, and what nobody does (A6.4). */
import { z } from "zod";
import { defineFunction } from "./define.js";
import { projectKey } from "./input-shapes.js";
import { awaitingLanding, readRoster } from "./roster.js";
import { storedProject } from "./stored.js";

export const fleetIdle = defineFunction({
  name: "fleet.idle",
  since: "0.1.0",
  summary: "List sessions that are idle or await a landing, and open items that nobody holds.",
  effect: "read",
  input: z.strictObject({ project: projectKey.optional() }),
  output: z.object({
    idle: z.array(z.object({ session: z.string(), harness: z.string(), steering: z.boolean() })),
    awaitingLanding: z.array(z.object({ session: z.string(), items: z.array(z.string()) })),
    unclaimed: z.array(z.object({ item: z.string(), title: z.string() })),
  }),
  async run(context, { project }) {
    if (project !== undefined) await storedProject(context, project);
    const roster = await readRoster(context, project);
    const { entries, unclaimed } = roster;
    return {
      idle: entries
        .filter(({ doing }) => doing === "idle")
        .map(({ session: { id, harness, steering } }) => ({ session: id, harness, steering })),
      awaitingLanding: awaitingLanding(roster),
      unclaimed: unclaimed.map(({ key, title }) => ({ item: key, title })),
    };
  },
});
