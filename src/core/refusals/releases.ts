/** Refusals of deployment runs, integration lanes and claimed territory (A13, A14). */
import { EXIT, type RefusalKind } from "./kind.js";

export const releaseKinds = {
  deployment_run_unknown: {
    exit: EXIT.refused,
    when: "There is no deployment run of this name.",
    next: "Create it with `yoke deployment-runs create {run} --project PROJECT`.",
  },
  deployment_run_exists: {
    exit: EXIT.refused,
    when: "Another deployment run has this name.",
    next: "Choose another name, or see that run with `yoke deployment-runs show {run}`.",
  },
  deployment_run_admitted: {
    exit: EXIT.refused,
    when: "The deployment run was admitted, so its members do not change any more.",
    next: "Create another run with `yoke deployment-runs create`; see this one with `yoke deployment-runs show {run}`.",
  },
  deployment_run_empty: {
    exit: EXIT.refused,
    when: "The deployment run has no member to admit.",
    next: "Add one with `yoke deployment-runs add-item {run} ITEM`.",
  },
  deployment_member_not_landed: {
    exit: EXIT.refused,
    when: "A member of the deployment run has no landing that was recorded.",
    next: "Land it with `yoke merge item {item}`, or take it out with `yoke deployment-runs remove-item {run} {item}`.",
  },
  deployment_member_not_contained: {
    exit: EXIT.refused,
    when: "The gate branch does not contain the merge by which a member landed.",
    next: "Look for {mergeCommit} on the gate branch and find out why it left; land {item} again, or take it out with `yoke deployment-runs remove-item {run} {item}`.",
  },
  territory_taken: {
    exit: EXIT.refused,
    when: "Another item holds this path or migration.",
    next: "Wait until {holder} landed, or agree with its holder; `yoke territory list` shows who holds what.",
  },
  merge_integration_refused: {
    exit: EXIT.refused,
    when: "Git could not integrate the lane, or a commit hook refused the merge; Git's own words are quoted. The pending merge stays in the lane.",
    next: "Fix what Git names in {path}, complete the merge commit there if one is pending (`git commit --no-edit`), then run the same command again.",
  },
} as const satisfies Record<string, RefusalKind>;
