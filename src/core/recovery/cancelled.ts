/** Why an attempt was cancelled: cancelled is not one thing (A16.5). */
import type { Job, WorkflowRun } from "./evidence.js";

export type CancelCause =
  /** A newer run of its workflow at the same head took its place. */
  | "superseded"
  /** The queue built the same pull request again on the same base. */
  | "reenqueued"
  /** Another run of its concurrency group took its place, and none at this head did (cases A15, A17). */
  | "concurrency"
  | "time_limit"
  | "by_hand"
  | "never_started"
  | "unknown";

const queueBranch = "gh-readonly-queue/";

/**
 * Annotations are GitHub's own words and decide where they are explicit; then a newer run of the workflow does that
 * was made before the attempt ended. `attempt`: the jobs of one attempt, any number of them.
 */
export function cancelCause(
  run: WorkflowRun,
  attempt: readonly Job[],
  others: readonly WorkflowRun[],
): CancelCause {
  const cancelled = attempt.filter(({ state }) => state === "cancelled");
  const says = new Set(cancelled.map((job) => job.says));
  if (says.has("time_limit")) return "time_limit";
  if (says.has("by_hand")) return "by_hand";
  if (says.has("no_runner")) return "never_started";
  const endedAt = cancelled
    .flatMap((job) => job.endedAt ?? [])
    .sort()
    .at(-1);
  const newer = others.filter(
    (other) =>
      other.workflow.id === run.workflow.id &&
      other.number > run.number &&
      (endedAt === undefined || Date.parse(other.createdAt) <= Date.parse(endedAt)),
  );
  // The name of a queue branch carries the pull request and the commit it is built on.
  if (
    run.branch?.startsWith(queueBranch) === true &&
    newer.some(({ branch }) => branch === run.branch)
  ) {
    return "reenqueued";
  }
  if (newer.some(({ head }) => head === run.head)) return "superseded";
  if (says.has("concurrency")) return "concurrency";
  return cancelled.every(({ started }) => !started) ? "never_started" : "unknown";
}

/** As a clause behind "it was cancelled". */
export const causeInWords: Readonly<Record<CancelCause, string>> = {
  superseded: "because a newer run of its workflow took its place",
  reenqueued: "because the queue built the pull request again on the same base",
  concurrency:
    "because another run of the same concurrency group took its place, though none at this commit did",
  time_limit: "at its own time limit",
  by_hand: "by hand",
  never_started: "before a runner took it",
  unknown: "for a reason that GitHub does not name",
};
