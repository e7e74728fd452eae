/** Whatever GitHub says, in whatever order, doubled or lost: what can never happen. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../../src/core/landing/decide.js";
import {
  defaultPolicy,
  type LandingEffect,
  type LandingFact,
  type LandingPhase,
  type LandingState,
  type Observation,
} from "../../../src/core/landing/model.js";
import {
  at,
  candidate,
  evidence,
  head,
  mergedOnGitHub,
  observation,
  opened,
  otherHead,
  queued,
} from "./world.js";

const seconds = fc.integer({ min: 1, max: 600 });

const readings: fc.Arbitrary<Observation> = fc
  .record({
    read: seconds,
    lag: fc.constantFrom(0, 0, 5),
    state: fc.constantFrom("OPEN", "OPEN", "OPEN", "CLOSED", "MERGED"),
    mergeable: fc.constantFrom("MERGEABLE", "MERGEABLE", "CONFLICTING", "UNKNOWN"),
    mergeState: fc.constantFrom("CLEAN", "BLOCKED", "DIRTY", "UNKNOWN", "UNSTABLE"),
    auto: fc.boolean(),
    membership: fc.constantFrom("none", "unreadable", "QUEUED", "UNMERGEABLE", "LOCKED"),
    head: fc.constantFrom(head, head, head, otherHead),
    branches: fc.constantFrom([true, true], [true, true], [false, true], [true, false]),
    identity: fc.boolean(),
  })
  .map((of) =>
    observation(of.read, {
      updatedAt: at(of.read - of.lag),
      state: of.state,
      mergeable: of.mergeable,
      mergeState: of.mergeState,
      autoMerge: of.auto ? { enabledAt: at(of.read - 1) } : null,
      queue:
        of.membership === "none"
          ? { read: "none" }
          : of.membership === "unreadable"
            ? { read: "unreadable", why: "502" }
            : queued(of.membership as "QUEUED", at(of.read - 1)).queue,
      head: of.head,
      headBranchExists: of.branches[0] ?? true,
      baseBranchExists: of.branches[1] ?? true,
      ...(of.state === "MERGED"
        ? { merge: of.identity ? mergedOnGitHub.merge : { commit: null, mergedAt: null } }
        : {}),
    }),
  );

/** What the outside does in between; the answers to effects are given by `run`. */
type Step =
  | { readonly step: "see"; readonly observation: Observation; readonly twice: boolean }
  | { readonly step: "arm"; readonly observation: Observation; readonly certain: boolean }
  | { readonly step: "hold"; readonly at: string }
  | { readonly step: "closeOut" };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        step: fc.constant("see" as const),
        observation: readings,
        twice: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        step: fc.constant("arm" as const),
        observation: readings,
        certain: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ step: fc.constant("hold" as const), at: seconds.map(at) }),
    },
    { weight: 1, arbitrary: fc.record({ step: fc.constant("closeOut" as const) }) },
  ),
  { maxLength: 40 },
);

/** How the outside answers: taken in turn, so that answers are good, bad and lost. */
const answers = fc.array(
  fc.record({
    lost: fc.boolean(),
    base: fc.constantFrom("yes" as const, "no" as const, "no" as const, "unknown" as const),
    ok: fc.boolean(),
    ahead: fc.constantFrom(null, [] as number[], [10], [10, 11]),
  }),
  { minLength: 1, maxLength: 10 },
);

interface Trace {
  readonly states: readonly LandingState[];
  readonly effects: readonly LandingEffect[];
  readonly asked: readonly {
    readonly fact: LandingFact;
    readonly before: LandingState;
    readonly after: LandingState;
  }[];
}

function run(
  story: readonly Step[],
  replies: readonly {
    lost: boolean;
    base: "yes" | "no" | "unknown";
    ok: boolean;
    ahead: number[] | null;
  }[],
): Trace {
  const states: LandingState[] = [opened];
  const effects: LandingEffect[] = [];
  const asked: { fact: LandingFact; before: LandingState; after: LandingState }[] = [];
  let state = opened;
  let turn = 0;

  const give = (fact: LandingFact, depth = 0): void => {
    const before = state;
    const decision = decide(state, fact, defaultPolicy);
    state = decision.state;
    states.push(state);
    effects.push(...decision.effects);
    asked.push({ fact, before, after: state });
    if (depth > 4) return;
    for (const effect of decision.effects) {
      const reply = replies[turn % replies.length];
      const seen = state.lastObservation;
      turn += 1;
      if (reply === undefined || seen === null) continue;
      if (effect.type === "disarm") {
        give({ type: "disarmResult", ok: reply.ok, why: "refused", at: seen.readAt }, depth + 1);
      } else if (reply.lost) {
        continue;
      } else if (effect.type === "readStopEvidence") {
        const read = evidence({ baseContainsCandidate: reply.base, readAt: seen.readAt });
        give({ type: "stopEvidence", observation: seen, evidence: read }, depth + 1);
      } else if (effect.type === "readQueueAhead") {
        const conflict =
          reply.ahead === null
            ? null
            : { ahead: reply.ahead, sharedFiles: [], seenAt: seen.readAt };
        give({ type: "queueAhead", observation: seen, conflict }, depth + 1);
      }
    }
  };

  for (const step of story) {
    if (step.step === "see") {
      give({ type: "observed", observation: step.observation });
      if (step.twice) give({ type: "observed", observation: step.observation });
    } else if (step.step === "arm") {
      give({ type: "armed", observation: step.observation, candidate, certain: step.certain });
    } else if (step.step === "hold") {
      give({ type: "held", at: step.at });
    } else {
      give({ type: "closedOut" });
    }
  }
  return { states, effects, asked };
}

function holdsAlways(property: (trace: Trace) => void): void {
  fc.assert(
    fc.property(steps, answers, (story, replies) => {
      property(run(story, replies));
    }),
    { numRuns: 1500 },
  );
}

function repeated(values: readonly string[]): readonly string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

describe("no sequence of readings, in any order, doubled or lost", () => {
  it("A4.8 moves a landing backwards", () => {
    const rank = (phase: LandingPhase) => ["landed", "closed_out"].indexOf(phase);
    holdsAlways(({ states }) => {
      states.forEach((state, index) => {
        const before = states[index - 1] ?? state;
        expect(rank(state.phase)).toBeGreaterThanOrEqual(rank(before.phase));
        expect(state.episode).toBeGreaterThanOrEqual(before.episode);
        expect(state.noticed.slice(0, before.noticed.length)).toEqual(before.noticed);
        expect(state.admitted || !before.admitted).toBe(true);
      });
    });
  });

  it("A6.1 A4.8 sends a second notice of one kind in one episode, or a second landed notice", () => {
    holdsAlways(({ effects }) => {
      const notices = effects.flatMap((effect) =>
        effect.type === "notice" ? [effect.notice] : [],
      );
      expect(repeated(notices.map(({ key }) => key))).toEqual([]);
      expect(notices.filter(({ kind }) => kind === "landed").length).toBeLessThanOrEqual(1);
      expect(effects.filter(({ type }) => type === "stampLanding").length).toBeLessThanOrEqual(1);
    });
  });

  it("A5.11 A7.2 sends one enqueue request twice", () => {
    holdsAlways(({ effects }) => {
      const keys = effects.flatMap((effect) => (effect.type === "enqueue" ? [effect.key] : []));
      expect(repeated(keys)).toEqual([]);
    });
  });

  it("A5.13 takes a stop back without a new governed arming, a hold, or a merge", () => {
    holdsAlways(({ asked }) => {
      for (const { fact, before, after } of asked) {
        if (before.phase !== "stopped" || after.phase === "stopped") continue;
        const merged = after.lastObservation?.state === "MERGED";
        expect(merged || fact.type === "armed" || fact.type === "held").toBe(true);
      }
    });
  });

  it("A5.12 says a stop of an armed landing before the base was asked or GitHub let go", () => {
    const proper = ["stopEvidence", "disarmResult"];
    holdsAlways(({ asked }) => {
      const early = asked.filter(
        ({ fact, before, after }) =>
          before.phase !== "stopped" &&
          after.phase === "stopped" &&
          before.admitted &&
          !proper.includes(fact.type),
      );
      expect(early).toEqual([]);
    });
  });

  it("A11.1 lands without the whole identity of the merge, or in any way but a merge", () => {
    holdsAlways(({ states, effects }) => {
      const stamps = effects.filter(({ type }) => type === "stampLanding");
      const landed = states.some(({ phase }) => phase === "landed");
      expect(stamps.length).toBe(landed ? 1 : 0);
      for (const state of states) {
        if (state.phase !== "landed") continue;
        expect(state.lastObservation?.state).toBe("MERGED");
        expect(state.landed?.mergeCommit).toBe(mergedOnGitHub.merge.commit);
      }
    });
  });

  it("A4.8 an order of readings that ends with the whole merge ends landed", () => {
    fc.assert(
      fc.property(steps, answers, (story, replies) => {
        const merge = observation(700, { ...mergedOnGitHub, updatedAt: at(700) });
        const whole = [...story, { step: "see", observation: merge, twice: true } as const];
        const { states } = run(whole, replies);
        expect(["landed", "closed_out"]).toContain(states.at(-1)?.phase);
      }),
      { numRuns: 500 },
    );
  });
});
