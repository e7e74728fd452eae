/** Whether the members of a deployment run can leave together (A14.1). */
import { openAttemptOf, type OfItem } from "../landing/landings-of-item.js";
import type { Receipt } from "../records.js";
import { refuse, type Refusal } from "../refusals.js";

/** A correction in flight keeps its item out: the older landing does not stand in for it. Null: there is none. */
export function openCorrection(item: string, landings: readonly OfItem[]): Refusal | null {
  const open = openAttemptOf(landings);
  if (open === null) return null;
  const pullRequest = String(open.attempt);
  return refuse(
    "item_landing_open",
    `${item} is being landed again by pull request ${pullRequest}; its older landing does not stand in for that.`,
    { item, pullRequest },
    "Wait until pull request {pullRequest} merged or closed, then enter the command again; or take the item out with `yoke deployment-runs remove-item`: the correction then rides a later release.",
  );
}

export interface Member {
  readonly item: string;
  readonly landings: readonly OfItem[];
  /** The newest receipt; its identity counts while close-out is still owed. */
  readonly receipt: Pick<Receipt, "pullRequest" | "mergeCommit"> | null;
  /** Whether the gate branch contains that merge; null when there is none to ask for. */
  readonly contained: boolean | null;
}

/** Every reason against admitting the run, of every member. */
export function admission(run: string, members: readonly Member[]): readonly Refusal[] {
  if (members.length === 0) {
    return [refuse("deployment_run_empty", `${run} has no member.`, { run })];
  }
  return members.flatMap(({ item, landings, receipt, contained }) => {
    const correction = openCorrection(item, landings);
    if (correction !== null) return [correction];
    if (receipt === null) {
      return [refuse("deployment_member_not_landed", `${item} has not landed.`, { run, item })];
    }
    if (contained === true) return [];
    const { mergeCommit } = receipt;
    return [
      refuse(
        "deployment_member_not_contained",
        `The gate branch does not contain ${mergeCommit}, by which ${item} landed.`,
        { run, item, mergeCommit },
      ),
    ];
  });
}
