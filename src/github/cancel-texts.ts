/**
 * The one place that reads the annotations of a cancelled job. GitHub gives no code for why it cancelled; each pattern
 * quotes an annotation that somebody met, and what is not known says nothing.
 */
import type { CancelWords } from "../core/recovery/evidence.js";

interface KnownText {
  readonly says: CancelWords;
  readonly pattern: RegExp;
  /** An annotation as it was met (names in it are examples), and where. */
  readonly met: string;
  readonly where: string;
}

export const knownCancelTexts: readonly KnownText[] = [
  {
    says: "time_limit",
    pattern: /has exceeded the maximum execution time of/i,
    met: "The job running on runner GitHub Actions 3 has exceeded the maximum execution time of 360 minutes.",
    where: "lowlighter/metrics#731",
  },
  {
    says: "concurrency",
    pattern: /^Canceling since a higher priority waiting request/i,
    met: "Canceling since a higher priority waiting request for 'CI-refs/pull/1460/merge' exists",
    where: "pex-tool/pex#1460, ncihtan/data-models#252",
  },
  {
    says: "by_hand",
    pattern: /^The run was cancell?ed by @/i,
    met: "The run was canceled by @frank-hartung.",
    where: "run pages of public repositories",
  },
  {
    says: "no_runner",
    pattern: /was not acquired by Runner of type/i,
    met: "The job was not acquired by Runner of type hosted even after multiple attempts",
    where: "annotations of public runs",
  },
];

/** What the annotations of one job say; the first known text in the order above decides. */
export function cancelWords(annotations: readonly string[]): CancelWords | null {
  const known = knownCancelTexts.find(({ pattern }) =>
    annotations.some((message) => pattern.test(message)),
  );
  return known?.says ?? null;
}
