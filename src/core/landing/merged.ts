/** A merge (A5.1): stamps and receipt identity in one transaction, then the notice; nothing with identity missing (A11.1). */
import { describe } from "./describe.js";
import { landedNotice, tellOnce } from "./notices.js";
import {
  defaultPolicy,
  type Decision,
  type Landed,
  type LandingPolicy,
  type LandingState,
} from "./model.js";

/** The decision for a newest reading that says merged. */
export function merged(state: LandingState, policy: LandingPolicy): Decision {
  const seen = state.lastObservation;
  if (seen === null) return { state, effects: [], why: describe(state) };
  const mergeCommit = seen.merge?.commit ?? "";
  const mergedAt = seen.merge?.mergedAt ?? "";
  const identity = {
    "merge commit": mergeCommit,
    "merge time": mergedAt,
    head: seen.head,
    "head branch": seen.headBranch,
    target: seen.baseBranch,
  };
  const missing = Object.entries(identity).flatMap(([name, value]) => (value === "" ? [name] : []));
  const settled = { ...state, stop: null, stopping: null, queueConflict: null, readySince: null };
  if (missing.length > 0) {
    const waiting: LandingState = { ...settled, phase: "pending" };
    return {
      state: waiting,
      effects: [
        {
          type: "refreshError",
          code: "merge_landing_identity_missing",
          message: `${state.item}: GitHub says that pull request ${seen.pullRequest} merged, but did not give its ${missing.join(", ")}. Nothing was stamped; it is read again.`,
        },
        { type: "recheck", afterSeconds: policy.recheckSeconds ?? defaultPolicy.recheckSeconds },
      ],
      why: describe(waiting),
    };
  }
  const landed: LandingState = {
    ...settled,
    phase: "landed",
    landed: landedAs(mergeCommit, mergedAt, seen.merge?.groupRun),
  };
  const told = tellOnce(landed, landedNotice(landed, seen, mergeCommit));
  return {
    state: told.state,
    effects: [
      {
        type: "stampLanding",
        pullRequest: seen.pullRequest,
        headBranch: seen.headBranch,
        target: seen.baseBranch,
        head: seen.head,
        mergeCommit,
        mergedAt,
      },
      ...told.effects,
    ],
    why: describe(told.state),
  };
}

function landedAs(mergeCommit: string, mergedAt: string, groupRun: boolean | undefined): Landed {
  return {
    mergeCommit,
    mergedAt,
    ...(groupRun === undefined ? {} : { verifiedByGroup: groupRun }),
  };
}
