/** Landings and readings for the tests of the decision: defaults of an armed, open, healthy pull request. */
import { decide } from "../../../src/core/landing/decide.js";
import { openLanding } from "../../../src/core/landing/open-landing.js";
import {
  defaultPolicy,
  type Candidate,
  type Decision,
  type LandingEffect,
  type LandingFact,
  type LandingState,
  type NoticeDraft,
  type Observation,
  type QueueEntry,
  type StopEvidence,
} from "../../../src/core/landing/model.js";

export const head = "a".repeat(40);
export const otherHead = "b".repeat(40);
export const tree = "c".repeat(40);
export const mergeCommit = "d".repeat(40);

export const candidate: Candidate = {
  commit: head,
  tree,
  branch: "yok-7",
  qualification: "q-1",
};

const start = Date.parse("2026-03-01T12:00:00Z");

/** GitHub's clock, in seconds after the story began. */
export function at(seconds: number): string {
  return new Date(start + seconds * 1000).toISOString();
}

export function observation(seconds: number, changes: Partial<Observation> = {}): Observation {
  return {
    pullRequest: 12,
    nodeId: "PR_12",
    url: "https://github.example/o/r/pull/12",
    readAt: at(seconds),
    updatedAt: at(0),
    state: "OPEN",
    isDraft: false,
    head,
    headBranch: "yok-7",
    headBranchExists: true,
    baseBranch: "main",
    baseBranchExists: true,
    mergeable: "MERGEABLE",
    mergeState: "BLOCKED",
    autoMerge: null,
    queue: { read: "none" },
    queueEnabled: true,
    merge: null,
    closedAt: null,
    ...changes,
  };
}

export const armedByGitHub = { autoMerge: { enabledAt: at(0) } } as const;

export function queued(state: QueueEntry["state"] = "QUEUED", enqueuedAt = at(0)) {
  return {
    queue: {
      read: "entry",
      entry: { state, position: 3, enqueuedAt, estimatedTimeToMerge: 600, groupCommit: null },
    },
  } as const;
}

export const mergedOnGitHub = {
  state: "MERGED",
  merge: { commit: mergeCommit, mergedAt: at(5) },
} as const;

export function evidence(changes: Partial<StopEvidence> = {}): StopEvidence {
  return {
    baseContainsCandidate: "no",
    failedChecks: [],
    removal: null,
    readAt: at(0),
    ...changes,
  };
}

export const opened: LandingState = openLanding({
  project: "YOK",
  item: "YOK-7",
  gateBranch: "main",
});

export function give(state: LandingState, fact: LandingFact): Decision {
  return decide(state, fact, defaultPolicy);
}

/** Gives one reading. */
export function see(
  state: LandingState,
  seconds: number,
  changes: Partial<Observation> = {},
): Decision {
  return give(state, { type: "observed", observation: observation(seconds, changes) });
}

/** Answers the request for evidence that the last reading led to. */
export function answer(state: LandingState, changes: Partial<StopEvidence> = {}): Decision {
  return give(state, {
    type: "stopEvidence",
    observation: newest(state),
    evidence: evidence(changes),
  });
}

export function newest(state: LandingState): Observation {
  if (state.lastObservation === null) throw new Error("nothing was read yet");
  return state.lastObservation;
}

/** Armed at second 0 and seen so: merge-when-ready, required checks outstanding. Episode 1. */
export function armed(changes: Partial<Observation> = armedByGitHub): LandingState {
  return give(opened, {
    type: "armed",
    observation: observation(0, changes),
    candidate,
    certain: true,
  }).state;
}

export function types(decision: Decision): readonly LandingEffect["type"][] {
  return decision.effects.map(({ type }) => type);
}

export function notices(decision: Decision): readonly NoticeDraft[] {
  return decision.effects.flatMap((effect) => (effect.type === "notice" ? [effect.notice] : []));
}
