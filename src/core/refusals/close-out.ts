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
  closeout_content_unproved: {
    exit: EXIT.refused,
    when: "The queue squashed or rebased, and git cannot say that the landed commit is the clean merge of the candidate. The lane is kept.",
    next: "Compare the landed commit with the candidate by hand and keep the lane until it is settled; `yoke explain {item}` says where the item stands.",
  },
  landed_tree_wrong: {
    exit: EXIT.refused,
    when: "The commit that GitHub merged has another tree than the clean merge of its first parent and the candidate. The item has not landed, and arming is frozen for the project.",
    next: "Tell the steering seat. It compares the paths named here with the clean merge, puts `{gateBranch}` right (revert the commit, then land the change again), and then runs `yoke project unfreeze {project}`.",
  },
  receipt_missing: {
    exit: EXIT.refused,
    when: "The item has no merge receipt to enrich or to show.",
    next: "See where the item stands with `yoke explain {item}`.",
  },
} as const satisfies Record<string, RefusalKind>;
