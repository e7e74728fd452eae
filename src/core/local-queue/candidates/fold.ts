/** The state of candidates, folded from their records (C3.2). */
import type { Evidence } from "../batch/trial.js";
import { inOrder, type Fragment } from "./fragment.js";

export type CandidateState = "queued" | "landing" | "landed" | "rejected" | "refused" | "withdrawn";

export interface Candidate {
  readonly id: string;
  readonly branch: string;
  readonly head: string;
  readonly base: string;
  readonly worktree: string | null;
  readonly actor: string;
  readonly state: CandidateState;
  readonly enqueuedAt: string;
  /** When it came to the state it is in. */
  readonly since: string;
  /** Of the last time it was charged. */
  readonly evidence: readonly Evidence[];
  readonly together: readonly string[];
  /** Where the base was and went, when it landed or is about to. */
  readonly landing: { readonly onto: string; readonly commit: string } | null;
  /** What became of its branch and worktree. */
  readonly pruned: { readonly removed: boolean; readonly why: string } | null;
}

/** From which states an event leads on. What does not follow from the state is not taken in. */
const follows: Readonly<Record<Fragment["event"]["type"], readonly CandidateState[]>> = {
  enqueued: [],
  withdrawn: ["queued"],
  landing: ["queued"],
  landed: ["landing"],
  rolled_back: ["landing"],
  charged: ["queued"],
  pruned: ["landed"],
};

/** Every candidate, in the order they were enqueued. */
export function foldCandidates(fragments: readonly Fragment[]): readonly Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const fragment of inOrder(fragments)) {
    const known = candidates.get(fragment.candidate);
    const next = known === undefined ? first(fragment) : after(known, fragment);
    if (next !== null) candidates.set(next.id, next);
  }
  return [...candidates.values()];
}

function first({ candidate, event, recordedAt }: Fragment): Candidate | null {
  if (event.type !== "enqueued") return null;
  const { type: _type, ...given } = event;
  return {
    id: candidate,
    ...given,
    state: "queued",
    enqueuedAt: recordedAt,
    since: recordedAt,
    evidence: [],
    together: [],
    landing: null,
    pruned: null,
  };
}

function after(candidate: Candidate, { event, recordedAt: since }: Fragment): Candidate | null {
  if (!follows[event.type].includes(candidate.state)) return null;
  switch (event.type) {
    case "withdrawn":
      return { ...candidate, state: "withdrawn", since };
    case "landing":
      return { ...candidate, state: "landing", since, landing: ends(event) };
    case "landed":
      return { ...candidate, state: "landed", since, landing: ends(event) };
    case "rolled_back":
      return { ...candidate, state: "queued", since, landing: null };
    case "charged":
      return {
        ...candidate,
        state: event.as,
        since,
        evidence: event.evidence,
        together: event.together,
      };
    case "pruned":
      return { ...candidate, pruned: { removed: event.removed, why: event.why } };
    case "enqueued":
      return null;
  }
}

function ends({ onto, commit }: { readonly onto: string; readonly commit: string }) {
  return { onto, commit };
}
