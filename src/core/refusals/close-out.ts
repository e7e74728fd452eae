/** Refusals of proving and closing out a landing (A10.8, A11). */
import { EXIT, type RefusalKind } from "./kind.js";

export const closeOutKinds = {
  merge_landing_identity_missing: {
    exit: EXIT.refused,
    when: "GitHub says merged but did not yet give the merge commit, its time, or the head. Nothing was stamped.",
    next: "Wait: every refresh reads it again. If it stays, open the pull request on GitHub and check that it shows a merge commit.",
  },
  merge_recorded_landing_missing: {
    exit: EXIT.refused,
    when: "The lane adds nothing to its target and no completed landing can be read. The lane is kept.",
    next: "Keep the lane and ask the operator to restore the item's recorded landing, then run `yoke merge item {item}`.",
  },
  closeout_fetch_failed: {
    exit: EXIT.refused,
    when: "The gate branch could not be fetched. The lane is kept.",
    next: "Repair the remote or its access until `git fetch {remote} {gateBranch}` works in the lane, then run `yoke merge item {item}`.",
  },
  closeout_candidate_missing: {
    exit: EXIT.refused,
    when: "The fetched gate branch does not contain the candidate. The lane is kept.",
    next: "Check that the remote is the repository that merged the pull request and that the gate branch was not rewritten, then run `yoke merge item {item}`.",
  },
  closeout_ancestry_unreadable: {
    exit: EXIT.refused,
    when: "Git could not read the history between the candidate and the gate branch. The lane is kept.",
    next: "Repair the repository (`git fsck`; `git fetch --unshallow` for a shallow clone), then run `yoke merge item {item}`.",
  },
  receipt_missing: {
    exit: EXIT.refused,
    when: "The item has no merge receipt to enrich or to show.",
    next: "See where the item stands with `yoke explain {item}`.",
  },
} as const satisfies Record<string, RefusalKind>;
