/** Refusals of reruns and of flake retries (A8, A9). */
import { EXIT, type RefusalKind } from "./kind.js";

export const recoveryKinds = {
  cancelled_attempts_exhausted: {
    exit: EXIT.refused,
    when: "A required check was cancelled three times at this commit. No further rerun is sent.",
    next: "Inspect the job annotations at {url} and fix the runner or the workflow's limits; then start a fresh declared attempt (a `workflow_dispatch` of {workflow} at this head) and run `yoke merge item {item}`.",
  },
  job_time_limit_repeated: {
    exit: EXIT.refused,
    when: "A required check was cancelled at its own time limit more than once. Another rerun would end there too.",
    next: "Make the job of {url} faster or raise its `timeout-minutes`, then start a fresh attempt and run `yoke merge item {item}`.",
  },
  rerun_refused: {
    exit: EXIT.refused,
    when: "GitHub refused to rerun a workflow run; its own words are quoted. Nothing was rerun.",
    next: "Do what GitHub asks for in the message (a rerun needs Actions: write), then run `yoke merge item {item}`.",
  },
  rerun_uncertain: {
    exit: EXIT.uncertain,
    when: "A rerun was requested for this attempt before, and GitHub does not show whether it took effect. It is never requested twice.",
    next: "Look at {url}: when it shows a newer attempt, run `yoke merge item {item}`; when it shows none, rerun it there by hand.",
  },
  merge_train_flake_retry_exhausted: {
    exit: EXIT.refused,
    when: "A flake retry was claimed for this pull request, head and base before. A second failure belongs to the item.",
    next: "Fix the failure, verify the new head and run `yoke merge item {item}`; `yoke items section get {item} --section 'Merge train retries'` shows the retry that was spent.",
  },
  flake_reason_invalid: {
    exit: EXIT.usage,
    when: "`--retry-flake` names no test, or no reason.",
    next: "Say both: `yoke merge item {item} --retry-flake 'TEST: why the change cannot explain the failure'`.",
  },
  flake_train_missing: {
    exit: EXIT.refused,
    when: "A flake retry was claimed for a landing that did not stop on a failed merge train. Nothing was armed.",
    next: "Run `yoke merge item {item}` without `--retry-flake`; `yoke explain {item}` says where it stands.",
  },
  flake_run_unknown: {
    exit: EXIT.refused,
    when: "The failed checks of the train name neither a workflow run nor a page, so nobody could look at the failure. Nothing was armed.",
    next: "Look at the pull request's timeline on GitHub, then run `yoke merge item {item}` without `--retry-flake`.",
  },
  flake_release_failed: {
    exit: EXIT.failed,
    when: "The queue refused the retry, and its reservation could not be given back.",
    next: "Check the database with `yoke doctor`, then enter the same command again: it finds the reservation {reservation}, sees that no request was accepted under it, and uses it. `yoke items section get {item} --section 'Merge train retries'` shows it.",
  },
} as const satisfies Record<string, RefusalKind>;
