/**
 * The one place that reads GitHub's messages. A refusal has a type (`UNPROCESSABLE`) but no code, so its meaning
 * can only be told by its text (github-facts 1.3). Each pattern quotes a message that somebody met; what is not
 * known stays `unknown_refusal`, which callers treat as "read again", never as success.
 */
import type { RefusalMeaning } from "./port.js";

interface KnownText {
  readonly meaning: RefusalMeaning;
  readonly pattern: RegExp;
  /** A message as it was met (names in it are examples), and where. */
  readonly met: string;
  readonly where: string;
}

export const knownTexts: readonly KnownText[] = [
  {
    meaning: "already_clean",
    pattern: /is in clean status/i,
    met: "Pull request Pull request is in clean status",
    where: "peter-evans/enable-pull-request-automerge#343, rjwalters/loom#3379",
  },
  {
    // Only optional checks are missing: nothing is left that merge-when-ready would wait for.
    meaning: "already_clean",
    pattern: /is in unstable status/i,
    met: "Pull request Pull request is in unstable status",
    where: "camunda/camunda#20675, peter-evans/enable-pull-request-automerge#355",
  },
  {
    meaning: "already_queued",
    pattern: /is already in the (?:merge )?queue/i,
    met: "Pull request is already in the queue",
    where: "ClickHouse/ClickHouse#109183",
  },
  {
    meaning: "auto_merge_not_allowed",
    pattern: /auto[- ]?merge is not allowed for this repository/i,
    met: "Auto merge is not allowed for this repository",
    where: "cli/cli#13398, ClickHouse/ClickHouse#105624",
  },
  {
    meaning: "auto_merge_not_allowed",
    pattern: /not in the correct state to enable auto-merge/i,
    met: "Pull request is not in the correct state to enable auto-merge",
    where: "cli/cli#3858, an older form of the one above",
  },
  {
    meaning: "not_ready",
    pattern: /required workflow .* is not satisfied/i,
    met: "Required workflow 'ci' is not satisfied",
    where: "devantler-tech/platform#3136",
  },
  {
    meaning: "pull_request_exists",
    pattern: /a pull request already exists for/i,
    met: "A pull request already exists for tajawal:HUB-1222.",
    where: "ovity/octotree#557",
  },
  {
    meaning: "nothing_to_merge",
    pattern: /no commits between/i,
    met: "No commits between master and dev_01",
    where: "piceaTech/node-gitlab-2-github#91",
  },
];

/**
 * What a refusal means. `head_moved` is never told from text: no public example of an `expectedHeadOid` mismatch
 * is known, so callers compare the head they read next (github-facts 1.3).
 */
export function refusalMeaning(message: string): RefusalMeaning {
  return knownTexts.find(({ pattern }) => pattern.test(message))?.meaning ?? "unknown_refusal";
}

/**
 * Whether a 403 or an error without a known type is the secondary limit, which may come with no header that
 * says so (github-facts 2.8): "You have exceeded a secondary rate limit."
 */
export function saysSecondaryLimit(message: string): boolean {
  return /secondary rate limit|abuse detection/i.test(message);
}
