/** A frozen project arms nothing (A16.3). What GitHub holds already is let go and armed again afterwards, or drained. */
import { refuse, type Refusal } from "../refusals.js";
import { isAfter } from "./elapsed.js";
import type { FrozenBy, LandingState } from "./model.js";

export interface Freeze extends FrozenBy {
  /** What is armed may land; without it, it is let go and armed again when the freeze ends. */
  readonly drain: boolean;
  /** Session that froze the project; null for a person without one. */
  readonly by: string | null;
  readonly at: string;
}

/** The freeze while it lasts: it ends by itself at `until`. */
export function lasting(freeze: Freeze | null, now: string): Freeze | null {
  if (freeze === null || freeze.until === null) return freeze;
  return isAfter(freeze.until, now) ? freeze : null;
}

/**
 * What a landing is told because of the freeze, or of its end; null: nothing. Waiting to re-enter the queue is a request
 * to come, which no freeze lets through, not even one that drains.
 */
export function freezeNews(
  state: LandingState,
  freeze: Freeze | null,
): { readonly frozen: FrozenBy | null } | null {
  if (freeze === null) {
    return state.phase === "held" && (state.frozen ?? null) !== null ? { frozen: null } : null;
  }
  const asked = state.phase === "pending" && state.admitted && (state.stopping ?? null) === null;
  if (state.phase !== "waiting_reentry" && !(asked && !freeze.drain)) return null;
  return { frozen: { reason: freeze.reason, until: freeze.until } };
}

export function frozenRefusal(project: string, freeze: FrozenBy): Refusal {
  const { reason, until } = freeze;
  return refuse("project_frozen", `${project} is frozen${untilWhen(until)}: ${reason}`, {
    project,
    reason,
    ...(until === null ? {} : { until }),
  });
}

/** ` until TIME`, or nothing. */
export function untilWhen(until: string | null): string {
  return until === null ? "" : ` until ${until}`;
}
