/** Required checks that nothing ever reports on a group, so that every entry waits out its timeout (A2.6, case B01). */
import { secondsBetween } from "../landing/elapsed.js";
import type { GateRules, RequiredCheck } from "./rules.js";

/** What was reported on one group commit of the gate branch. */
export interface GroupReport {
  /** The App is null where GitHub does not say it, as for a commit status. */
  readonly reported: readonly { readonly context: string; readonly app: number | null }[];
  /** When the group commit was made, and when its entry left the queue; null while it is in it. */
  readonly builtAt: string;
  readonly leftAt: string | null;
}

/** Whether a report satisfies what the requirement asks of its source. */
export function reports(
  { reported }: GroupReport,
  { context, integration_id }: RequiredCheck,
): boolean {
  return reported.some(
    (one) =>
      one.context === context &&
      (integration_id === null || one.app === null || one.app === integration_id),
  );
}

/**
 * The required checks that no group has a report of, although one of the groups waited out the queue's timeout. Groups
 * that ended sooner, or are still being built, prove nothing: their checks may only not have begun (case B03).
 */
export function neverReported(
  { queue, required_checks }: GateRules,
  groups: readonly GroupReport[],
): readonly RequiredCheck[] {
  if (queue === null) return [];
  const timeout = queue.check_response_timeout_minutes * 60;
  const waitedOut = groups.some(
    ({ builtAt, leftAt }) => leftAt !== null && secondsBetween(builtAt, leftAt) >= timeout,
  );
  if (!waitedOut) return [];
  return required_checks.filter((check) => !groups.some((group) => reports(group, check)));
}
