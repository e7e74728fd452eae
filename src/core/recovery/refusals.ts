/** Answers about required checks that the holder must act on (A8.4, A16.5). */
import { refuse, type Refusal } from "../refusals.js";
import type { CheckAnswer } from "./recover.js";

/** What no rerun cures any more, one refusal for each run. */
export function recoveryRefusals(
  item: string,
  answers: readonly CheckAnswer[],
): readonly Refusal[] {
  return answers.flatMap(({ answer, check, why, url, run }) => {
    const code = codes[answer];
    if (code === undefined || run === null) return [];
    const seen = {
      item,
      check,
      workflow: run.workflow,
      run: String(run.id),
      attempt: String(run.attempt),
      url: url ?? "",
    };
    return [
      refuse(
        code,
        `The required check ${check} did not run to an end: ${why}. See ${url ?? run.id}.`,
        seen,
      ),
    ];
  });
}

const codes: Partial<
  Record<CheckAnswer["answer"], "cancelled_attempts_exhausted" | "job_time_limit_repeated">
> = {
  cancelled_too_often: "cancelled_attempts_exhausted",
  time_limit_repeated: "job_time_limit_repeated",
};
