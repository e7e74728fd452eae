/** One retry of a failed merge train, claimed by a person or an agent who looked at the failed run (A9). */
import type { FailedCheck, LandingState } from "../landing/model.js";
import { refuse, type Refusal } from "../refusals.js";

/** What `--retry-flake` says. */
export interface FlakeReason {
  readonly test: string;
  readonly why: string;
}

/** `TEST: why`, split at the first colon before a space, since test names hold colons of their own; null: neither. */
export function parseFlake(text: string): FlakeReason | null {
  const match = /^\s*(\S.*?)\s*:\s+(\S.*?)\s*$/s.exec(text);
  const [, test, why] = match ?? [];
  return test === undefined || why === undefined ? null : { test, why };
}

/** Inputs of the train that failed: of one pair of head and base, one retry may be claimed. */
export interface TrainInput {
  readonly project: string;
  readonly pullRequest: number;
  readonly head: string;
  readonly base: string;
}

export function flakeKey({ project, pullRequest, head, base }: TrainInput): string {
  return `flake:${project}:${pullRequest}:${head}:${base}`;
}

/** Page of the run that failed: that of a check which failed before one that was only cancelled beside it. */
export function failedRun(checks: readonly FailedCheck[]): string | null {
  const onGroup = checks.filter(({ on }) => on === "group");
  const [first] = [
    ...onGroup.filter(({ conclusion }) => conclusion !== "CANCELLED"),
    ...onGroup.filter(({ conclusion }) => conclusion === "CANCELLED"),
  ].flatMap((check) => check.runUrl ?? check.url ?? []);
  return first ?? null;
}

/** What stands against a claim before anything is reserved; the page of the failed run when nothing does. */
export function claimable(
  { item, phase, stop }: LandingState,
  text: string,
): { readonly reason: FlakeReason; readonly runUrl: string } | Refusal {
  const reason = parseFlake(text);
  if (reason === null) {
    return refuse("flake_reason_invalid", `"${text}" does not say \`TEST: why\`.`, { item });
  }
  const trains = (stop?.failedChecks ?? []).filter(({ on }) => on === "group");
  if (phase !== "stopped" || stop?.reason !== "checks_failed" || trains.length === 0) {
    return refuse("flake_train_missing", `${item} did not stop on a failed merge train.`, { item });
  }
  const runUrl = failedRun(trains);
  if (runUrl === null) {
    const names = trains.map(({ name }) => name).join(", ");
    return refuse("flake_run_unknown", `Nothing names the run behind ${names}.`, { item });
  }
  return { reason, runUrl };
}

/** Whether `text`, said to the steering seat before, speaks of this run: no longer number that begins like it. */
export function tellsOfRun(text: string, runUrl: string): boolean {
  return text
    .split(runUrl)
    .slice(1)
    .some((rest) => !/^\d/.test(rest));
}

/** What the steering seat is told before arming (A9.5). */
export function flakeMessage(
  item: string,
  { pullRequest, reason, runUrl }: { pullRequest: number; reason: FlakeReason; runUrl: string },
): string {
  return `${reason.test} failed in the merge train of ${item} (pull request ${pullRequest}): ${runUrl}. The change cannot explain it: ${reason.why}. One retry is claimed.`;
}
