/** The simulator as a whole: what it is, its clock, whether it stands still. */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";

import { timestamp } from "../../clock.js";
import { Refusal } from "../../world/refusal.js";
import { type AdminCall, InvalidInput, route } from "./route.js";

const LONGEST_WAIT_MS = 120_000;
const DEFAULT_WAIT_MS = 10_000;

export const generalRoutes = [
  route("GET", "", ({ world }) => ({
    url: world.baseUrl,
    apiUrl: `${world.baseUrl}/api/v3`,
    clock: clock(world),
    repositories: world.repositories().map(({ owner, name }) => `${owner}/${name}`),
  })),
  route("GET", "/idle", idle),
  route("GET", "/clock", ({ world }) => clock(world)),
  route("POST", "/clock/advance", async (call) => {
    const { ms } = await call.input(z.strictObject({ ms: z.number().min(0) }));
    await call.world.advance(ms);
    return clock(call.world);
  }),
  route("PUT", "/clock", async (call) => {
    const { now } = await call.input(z.strictObject({ now: z.iso.datetime({ offset: true }) }));
    const ms = Date.parse(now) - call.world.clock.now();
    if (ms < 0) throw new Refusal("CONFLICT", "The clock moves forward only.");
    await call.world.advance(ms);
    return clock(call.world);
  }),
];

function clock(world: AdminCall["world"]) {
  return { kind: world.clock.kind, now: timestamp(world.clock) };
}

/** Everything that will end by itself: of the world, and requests that are being answered. */
function busyWith({ world, services }: AdminCall): string[] {
  return [...world.busy(), ...services.log.open()];
}

/** Waits until nothing is going on, at most `timeoutMs`; says what is when it gives up. */
async function idle(call: AdminCall) {
  const timeoutMs = Number(call.query("timeoutMs") ?? DEFAULT_WAIT_MS);
  if (!(timeoutMs >= 0 && timeoutMs <= LONGEST_WAIT_MS))
    throw new InvalidInput(`timeoutMs is a number from 0 to ${LONGEST_WAIT_MS}`);
  const given = new AbortController();
  const giveUp = delay(timeoutMs, "late" as const, { signal: given.signal }).catch(() => "late");
  while (busyWith(call).length > 0) {
    const settled = Promise.all([call.world.idle(), call.services.log.quiet()]);
    if ((await Promise.race([settled, giveUp])) === "late") break;
  }
  given.abort();
  const busy = busyWith(call);
  return { idle: busy.length === 0, busy };
}
