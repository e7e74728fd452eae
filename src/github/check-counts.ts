/** How many checks stand how, from GitHub's own counts. They are for people: what cannot be read is left out. */
import { z } from "zod";

import type { CheckCounts, Observation } from "../core/landing/model.js";
import type { GraphqlError } from "./faults.js";

const counts = z
  .array(z.object({ state: z.string(), count: z.int() }))
  .nullable()
  .transform((list) => list ?? []);

/** Null for a commit that nothing was reported on. */
const rollup = z
  .object({
    contexts: z.object({ checkRunCountsByState: counts, statusContextCountsByState: counts }),
  })
  .nullable();

const shape = z.object({
  statusCheckRollup: rollup,
  mergeQueueEntry: z
    .object({ headCommit: z.object({ statusCheckRollup: rollup }).nullable() })
    .nullable(),
});

const PASSED: ReadonlySet<string> = new Set(["SUCCESS", "NEUTRAL", "SKIPPED"]);
/** Everything else, whatever GitHub adds later, has not ended. */
const FAILED: ReadonlySet<string> = new Set([
  "ACTION_REQUIRED",
  "CANCELLED",
  "ERROR",
  "FAILURE",
  "STALE",
  "STARTUP_FAILURE",
  "TIMED_OUT",
]);

/** Waits for a runner, for another run, or for whoever is to report it (case A36). */
const NOT_STARTED: ReadonlySet<string> = new Set(["EXPECTED", "QUEUED", "WAITING"]);

/** True for an error about the counts alone, with its path counted from the pull request. */
export function concernsCounts({ path }: GraphqlError): boolean {
  return path.includes("statusCheckRollup");
}

/** The counts of a node of `Observe`; nothing when they were not asked for, or not all could be read. */
export function readCheckCounts(
  node: unknown,
  errors: readonly GraphqlError[],
): Pick<Observation, "checks"> {
  if (errors.some(concernsCounts)) return {};
  const parsed = shape.safeParse(node);
  if (!parsed.success) return {};
  const group = parsed.data.mergeQueueEntry?.headCommit ?? null;
  return {
    checks: {
      head: sum(parsed.data.statusCheckRollup),
      group: group === null ? null : sum(group.statusCheckRollup),
    },
  };
}

function sum(of: z.infer<typeof rollup>): CheckCounts {
  const all =
    of === null
      ? []
      : [...of.contexts.checkRunCountsByState, ...of.contexts.statusContextCountsByState];
  const total = (which: (state: string) => boolean): number =>
    all.filter(({ state }) => which(state)).reduce((so, { count }) => so + count, 0);
  const notStarted = total((state) => NOT_STARTED.has(state));
  return {
    passed: total((state) => PASSED.has(state)),
    failed: total((state) => FAILED.has(state)),
    running: total((state) => !PASSED.has(state) && !FAILED.has(state)),
    ...(notStarted === 0 ? {} : { notStarted }),
  };
}
