/**
 * The checkers of the house style: what holds after every scenario. Call `check` when a passing story is settled (GitHub
 * idle, and a pass made since) and before anything is closed; `checkClosed` when all of it is closed.
 */
import { expectedRequests, usedFaults } from "./wire.js";
import { lanesOfLanded, refsOfErrands, reservationsOfLanded } from "./leftovers.js";
import { mailboxes, noticesOfEpisodes } from "./notices.js";
import { patiently } from "./patiently.js";
import { projections } from "./projections.js";
import { qualifiedMerges } from "./qualified-merges.js";
import { receiptsOfHistory, receiptsOfLandings } from "./receipts.js";
import { replays } from "./replays.js";
import { broken, type Broken } from "./violations.js";
import type { ClonedWorld, Rule, SimulatedWorld, World } from "./world.js";

export { checkClosed, childProcesses, type ChildProcess } from "./after-close.js";
export type { World } from "./world.js";

const everywhere: readonly Rule[] = [
  receiptsOfLandings,
  noticesOfEpisodes,
  mailboxes,
  projections,
  reservationsOfLanded,
  replays,
];
/** Those that look at the simulated GitHub, and at a real repository with lanes. */
const onSimulator: readonly Rule<SimulatedWorld>[] = [
  qualifiedMerges,
  receiptsOfHistory,
  expectedRequests,
  usedFaults,
];
const onClone: readonly Rule<ClonedWorld>[] = [lanesOfLanded, refsOfErrands];

/** Throws one error with every rule that is broken, and what was seen. */
export async function check(world: World): Promise<void> {
  const { simulator, clone } = world;
  const found = [
    ...(await brokenOf(everywhere, world)),
    ...(simulator === null ? [] : await brokenOf(onSimulator, { ...world, simulator })),
    ...(clone === null ? [] : await brokenOf(onClone, { ...world, clone })),
  ];
  if (found.length > 0) throw broken(found);
}

async function brokenOf<On extends World>(
  rules: readonly Rule<On>[],
  world: On,
): Promise<readonly Broken[]> {
  const found: Broken[] = [];
  for (const { name, violations } of rules) {
    const seen = await patiently(() => violations(world));
    if (seen.length > 0) found.push({ name, seen });
  }
  return found;
}
