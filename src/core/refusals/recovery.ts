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
} as const satisfies Record<string, RefusalKind>;
