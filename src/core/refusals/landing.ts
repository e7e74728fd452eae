/** Refusals of preparing, arming and holding a landing (A1, A2, A3, A6). */
import { EXIT, type RefusalKind } from "./kind.js";

export const landingKinds = {
  lane_dirty: {
    exit: EXIT.refused,
    when: "The lane has staged, changed or untracked files, so what would land is not what is in it.",
    next: "Commit the files and verify again, or remove them; then run `yoke merge item {item}`.",
  },
  lane_detached: {
    exit: EXIT.refused,
    when: "The lane's HEAD is detached or on another branch than the one registered.",
    next: "Check out the lane's branch with `git switch {branch}`, then run `yoke merge item {item}`.",
  },
  lane_is_gate_branch: {
    exit: EXIT.refused,
    when: "The lane is on the gate branch itself, so there is no branch of its own to land from.",
    next: "Make a branch of the lane's own with `git switch -c {suggested}`, push it, register it with `yoke lanes register {item}`, then run `yoke merge item {item}`.",
  },
  lane_head_unpushed: {
    exit: EXIT.refused,
    when: "The lane's branch is not on GitHub, or GitHub has another commit at its tip.",
    next: "Push the lane's branch with `git push -u origin {branch}`, then run `yoke merge item {item}`.",
  },
  lane_head_moved: {
    exit: EXIT.refused,
    when: "The lane's head changed while the landing was being prepared.",
    next: "Leave the lane alone while the command runs: verify the new head, then run `yoke merge item {item}`.",
  },
  qualification_missing: {
    exit: EXIT.refused,
    when: "No qualification exists for exactly this commit and tree.",
    next: "Verify this commit and record it with `yoke verify record {item}`, then run `yoke merge item {item}`.",
  },
  qualification_failed: {
    exit: EXIT.refused,
    when: "The newest qualification of this commit and tree says that verification failed.",
    next: "Fix the change, verify it, and record the new result with `yoke verify record {item}`.",
  },
  qualification_outdated: {
    exit: EXIT.refused,
    when: "This commit and tree passed, but under an older verification requirement of the project.",
    next: "Verify again under the current requirement and record it with `yoke verify record {item}`.",
  },
  integration_dependency_blocked: {
    exit: EXIT.refused,
    when: "An item that must land first has not landed. Nothing was armed.",
    next: "Wait for the landing notice of each item named here, then run `yoke merge item {item}`.",
  },
  integration_dependency_gate_unavailable: {
    exit: EXIT.refused,
    when: "The items that must land first could not be read. Nothing was armed.",
    next: "Check the database with `yoke doctor`, then run `yoke merge item {item}`.",
  },
  dependency_cycle: {
    exit: EXIT.refused,
    when: "The dependency would make an item wait for itself.",
    next: "Remove one of the dependencies on the path named here, or leave this one out.",
  },
  project_frozen: {
    exit: EXIT.refused,
    when: "The project is frozen, so nothing is armed; the reason is quoted.",
    next: "Wait until the freeze ends, then enter the command again; whoever may end it does so with `yoke project unfreeze {project}`.",
  },
  merge_queue_declaration_invalid: {
    exit: EXIT.refused,
    when: "`.yoke/merge-queue.json` is not a valid declaration; each wrong key is named.",
    next: "Correct the keys named here, commit, verify again and retry.",
  },
  merge_queue_declaration_missing: {
    exit: EXIT.refused,
    when: "The gate branch has no `.yoke/merge-queue.json`, so there is nothing to compare or to apply.",
    next: "Commit a `.yoke/merge-queue.json` to `{gateBranch}`; the guide shows one.",
  },
  gate_checkout_elsewhere: {
    exit: EXIT.refused,
    when: "The checkout is not on the gate branch. Rules are applied from the gate branch only.",
    next: "Check out the gate branch with `git switch {gateBranch}`, then run `yoke github merge-queue apply --project {project}` there.",
  },
  gate_checkout_dirty: {
    exit: EXIT.refused,
    when: "The checkout of the gate branch has staged, changed or untracked files.",
    next: "Use a clean checkout of `{gateBranch}`, then run `yoke github merge-queue apply --project {project}` there.",
  },
  gate_checkout_outdated: {
    exit: EXIT.refused,
    when: "The checkout is at another commit than the gate branch on GitHub.",
    next: "Update the checkout with `git pull --ff-only`, then run `yoke github merge-queue apply --project {project}` there.",
  },
  gate_rules_elsewhere: {
    exit: EXIT.refused,
    when: "Another ruleset enforces something on the gate branch that is not declared; yoke changes only its own.",
    next: "Ask an administrator to change or remove the rules named here, or declare them on `{gateBranch}`; then run `yoke github merge-queue apply --project {project}`.",
  },
  gate_rules_refused: {
    exit: EXIT.refused,
    when: "GitHub refused to write the ruleset; its own words are quoted.",
    next: "Do what GitHub asks for in the message (it needs Administration: write), then run `yoke github merge-queue apply --project {project}`.",
  },
  gate_rules_unconfirmed: {
    exit: EXIT.uncertain,
    when: "The ruleset was written, or the reply was lost, and GitHub does not show the declared rules as live.",
    next: "Run `yoke github merge-queue diff --project {project}` in a minute; apply again if rules still differ.",
  },
  lane_declaration_stale: {
    exit: EXIT.refused,
    when: "The lane's `.yoke/merge-queue.json` differs from the live rules, and the gate branch declares exactly what is live.",
    next: "Update the lane from `{gateBranch}`, verify it again, then run `yoke merge item {item}`. Never apply from the lane: that would change the rules for every pull request.",
  },
  gate_rules_differ: {
    exit: EXIT.refused,
    when: "The lane's `.yoke/merge-queue.json` differs from the live rules, and so does that of the gate branch.",
    next: "Run `yoke github merge-queue apply --project {project}` from an up-to-date checkout of `{gateBranch}`, then run `yoke merge item {item}`.",
  },
  gate_declaration_unverified: {
    exit: EXIT.refused,
    when: "The declaration of the gate branch, or the live rules, could not be read or compared.",
    next: "Restore read access and a valid `.yoke/merge-queue.json` on `{gateBranch}`, then run `yoke merge item {item}`. Never apply from the lane.",
  },
  merge_queue_probe_failed: {
    exit: EXIT.refused,
    when: "GitHub did not say whether the gate branch has a merge queue. Nothing is merged past a queue that may be there.",
    next: "Give the App (or token) `merge_queues: read` and access to the repository, check with `yoke doctor`, then run `yoke merge item {item}`.",
  },
  merge_queue_missing: {
    exit: EXIT.refused,
    when: "The gate branch has no merge queue on GitHub.",
    next: "Ask an administrator of the repository to require a merge queue on `{gateBranch}`, or set the project's gate branch to one that has it; then run `yoke merge item {item}`.",
  },
  required_check_never_reported: {
    exit: EXIT.refused,
    when: "A required check was never reported on a group of this branch, so every entry would wait out its timeout.",
    next: "Have what reports the check run on `merge_group` too, or ask an administrator not to require it (a change that adds the trigger cannot pass the queue either); then run `yoke merge item {item}`.",
  },
  MergeTargetStale: {
    exit: EXIT.refused,
    when: "The gate branch, which declares no queue, has commits that the candidate does not contain: it moved during CI or before.",
    next: "Rebase the lane onto `{gateBranch}`, verify it again, push, then run `yoke merge item {item}`.",
  },
  merge_method_cannot_be_proved: {
    exit: EXIT.refused,
    when: "The queue squashes or rebases, so the verified commit would never be in the branch's history.",
    next: "Ask an administrator of the repository to set the queue's merge method to `merge`, or add the project with `--close-out content` so that landings are proved by content; then run `yoke merge item {item}`.",
  },
  auto_merge_not_allowed: {
    exit: EXIT.refused,
    when: "The repository does not allow auto-merge, which waiting for checks needs even beside a queue.",
    next: "Ask an administrator to switch on `Allow auto-merge` in the repository's settings, or wait until the required checks passed; then run `yoke merge item {item}`.",
  },
  pull_request_conflicts: {
    exit: EXIT.refused,
    when: "GitHub says that the pull request conflicts with its base.",
    next: "Rebase the lane onto the base, verify again, push, and run `yoke merge item {item}`.",
  },
  pull_request_draft: {
    exit: EXIT.refused,
    when: "The pull request is a draft.",
    next: "Mark the pull request as ready for review on GitHub, then run `yoke merge item {item}`.",
  },
  pull_request_closed: {
    exit: EXIT.refused,
    when: "The pull request was closed without merging.",
    next: "Reopen the pull request on GitHub if it is still wanted, then run `yoke merge item {item}`.",
  },
  pull_request_head_moved: {
    exit: EXIT.refused,
    when: "The pull request's live head is not the verified candidate.",
    next: "Bring the lane and its branch on GitHub to one commit, verify that commit, and run `yoke merge item {item}`.",
  },
  pull_request_base_differs: {
    exit: EXIT.refused,
    when: "The pull request merges into another branch than the project's gate branch.",
    next: "Change the pull request's base to `{gateBranch}` on GitHub, then run `yoke merge item {item}`.",
  },
  mergeability_not_computed: {
    exit: EXIT.refused,
    when: "GitHub had not decided whether the pull request can merge after several reads. Nothing was armed.",
    next: "Wait a minute and run `yoke merge item {item}` again.",
  },
  pull_request_refused: {
    exit: EXIT.refused,
    when: "GitHub refused to open the pull request; its own words are quoted.",
    next: "Do what GitHub asks for in the message, or open the pull request by hand; then run `yoke merge item {item}`.",
  },
  arming_refused: {
    exit: EXIT.refused,
    when: "GitHub refused the request to arm or enqueue the pull request; its own words are quoted.",
    next: "Do what GitHub asks for in the message, then run `yoke merge item {item}`.",
  },
  arming_uncertain: {
    exit: EXIT.uncertain,
    when: "The reply to an arming request was lost and GitHub does not yet show whether it took effect.",
    next: "Run `yoke explain {item}` in a minute: it says what GitHub shows. Then run `yoke merge item {item}`; it reads before it sends.",
  },
  landing_stopped: {
    exit: EXIT.refused,
    when: "The landing stopped and the holder must act.",
    next: "Do what the stop asks for, then run `yoke merge item {item}`.",
  },
  item_landing_open: {
    exit: EXIT.refused,
    when: "A pull request of the item is on its way to land; another lane, or a release, waits for it.",
    next: "Wait for the landing notice of pull request {pullRequest}, or take it back with `yoke github merge-queue hold {item}`; then enter the command again.",
  },
  landing_not_open: {
    exit: EXIT.refused,
    when: "The item has no open landing to hold, watch or close out.",
    next: "Start one with `yoke merge item {item}`, or see the item with `yoke explain {item}`.",
  },
  hold_unconfirmed: {
    exit: EXIT.uncertain,
    when: "After the hold, GitHub still shows the pull request armed or queued, or could not be read.",
    next: "Run `yoke github merge-queue hold {item}` again before you push or re-enter the merge.",
  },
} as const satisfies Record<string, RefusalKind>;
