/** What happens in a random run, as data: the same seed gives the same plan. */
import * as fc from "fast-check";

/** What may happen, and how often beside the others. */
const weights = {
  /** A person adds an item with a pushed, verified lane; some lanes change a file that others change too. */
  add: 4,
  /** Somebody enters `yoke merge item`. */
  merge: 8,
  /** A check ends. */
  pass: 12,
  fail: 2,
  cancel: 2,
  /** The holder pushes one more commit to a lane, verified or not. */
  push: 2,
  hold: 1,
  /** A person does on GitHub what the holder did not ask for. */
  disarm: 1,
  close: 1,
  /** The gate branch moves without yoke. */
  base: 1,
  /** The project is frozen, drained or not, or is free again. */
  freeze: 1,
  /** A scheduled pass, and what a webhook would touch: once, twice, or a pull request that nobody asked about. */
  pass_over: 4,
  touch: 6,
  /** The worker is killed with SIGKILL, and started again. */
  kill: 1,
  /** The next request to GitHub is refused, or its reply is lost. */
  refuse: 2,
  lose: 2,
} as const;

export type Action = keyof typeof weights;

export interface Step {
  readonly action: Action;
  /** Chooses among what the action can be done to, and how. */
  readonly pick: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.oneof(
    ...Object.entries(weights).map(([action, weight]) => ({
      weight,
      arbitrary: fc.constant(action as Action),
    })),
  ),
  pick: fc.nat(),
});

/** A run begins with two lanes, so that there is something for the first steps to happen to. */
export function planOf(seed: number, length: number): readonly Step[] {
  const [drawn = []] = fc.sample(fc.array(step, { minLength: length, maxLength: length }), {
    seed,
    numRuns: 1,
  });
  return [{ action: "add", pick: 0 }, { action: "add", pick: 1 }, ...drawn];
}
