/** What is kept of an automatic re-entry that GitHub accepted (A7.4). */
import type { QueueConflict } from "./model.js";

/** Kind of the reservations that automatic re-entries are sent under. */
export const reentryKind = "queue_reentry";

/** The reservation's text; with the time it was settled it is the receipt. */
export function reentryReceipt(
  { pullRequest, conflict }: { readonly pullRequest: number; readonly conflict: QueueConflict },
  head: string,
): string {
  const { ahead, sharedFiles, seenAt } = conflict;
  const files = sharedFiles.length === 0 ? "none" : sharedFiles.join(", ");
  return [
    `pull request: ${pullRequest}`,
    `head: ${head}`,
    `entries ahead at ${seenAt}: ${ahead.map((number) => `#${number}`).join(", ")}`,
    `files shared with them (an overlap, which proves no conflict): ${files}`,
  ].join("\n");
}
