/** A notice as a person or a harness reads it. */
import { causeInWords } from "../recovery/cancelled.js";
import type { FailedCheck } from "./model.js";

/** `NAME: conclusion (where) URL`, one line a check. */
export function failedCheckLine(check: FailedCheck): string {
  const where = check.on === "group" ? "on the merge group" : "on the head";
  const why = check.cause === undefined ? "" : `, ${causeInWords[check.cause]}`;
  return `${check.name}: ${check.conclusion} (${where})${why}${check.url === null ? "" : ` ${check.url}`}`;
}

/** Title, body, failed checks, and what to do next; plain text, no trailing newline. */
export function noticeText(notice: {
  readonly title: string;
  readonly body: string;
  readonly next: string | null;
  readonly failedChecks: readonly FailedCheck[];
}): string {
  return [
    notice.title,
    notice.body,
    ...notice.failedChecks.map((check) => `  ${failedCheckLine(check)}`),
    notice.next === null ? "Nothing is asked of you." : `Next: ${notice.next}`,
  ].join("\n");
}
