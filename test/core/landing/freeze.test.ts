import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describe as inWords } from "../../../src/core/landing/describe.js";
import {
  freezeNews,
  frozenRefusal,
  lasting,
  type Freeze,
} from "../../../src/core/landing/freeze.js";
import type { LandingPhase, LandingState } from "../../../src/core/landing/model.js";
import { landingView } from "../../../src/core/landing/view.js";
import { armed, armedByGitHub, at, give, notices, otherHead, queued, see, types } from "./world.js";

const frozen = { reason: "release 4.2", until: at(600) };
const freeze: Freeze = { ...frozen, drain: false, by: "lead", at: at(0) };
const held = (): LandingState => give(armed(), { type: "held", at: at(20), frozen }).state;

describe("how long a freeze lasts", () => {
  it("A16.3 it ends by itself at its time, and without one only by hand", () => {
    expect(lasting(freeze, at(599))).toBe(freeze);
    expect(lasting(freeze, at(600))).toBeNull();
    const open = { ...freeze, until: null };
    expect(lasting(open, at(1_000_000))).toBe(open);
    expect(lasting(null, at(0))).toBeNull();
  });
});

describe("what a landing is told of it", () => {
  const of = (phase: LandingPhase): LandingState => ({ ...armed(), phase });

  it.each([
    ["pending", { frozen }, null],
    ["waiting_reentry", { frozen }, { frozen }],
    ["unarmed", null, null],
    ["held", null, null],
    ["stopped", null, null],
    ["landed", null, null],
    ["closed_out", null, null],
  ] as const)("A16.3 %s, without and with --drain", (phase, news, drained) => {
    expect(freezeNews(of(phase), freeze)).toEqual(news);
    expect(freezeNews(of(phase), { ...freeze, drain: true })).toEqual(drained);
    expect(freezeNews(of(phase), null)).toBeNull();
  });

  it("A16.3 the end of it is told to what it holds, and not to what a person holds", () => {
    expect(freezeNews(held(), freeze)).toBeNull();
    expect(freezeNews(held(), null)).toEqual({ frozen: null });
    const byPerson = give(held(), { type: "held", at: at(30) }).state;
    expect(freezeNews(byPerson, null)).toBeNull();
  });

  it("A16.3 a landing on its way to a stop is left to it", () => {
    expect(freezeNews({ ...armed(), stopping: null, admitted: false }, freeze)).toBeNull();
    const stopping = see(armed(), 5, { ...armedByGitHub, head: otherHead }).state;
    expect(stopping.stopping).not.toBeNull();
    expect(freezeNews(stopping, freeze)).toBeNull();
  });
});

describe("a landing that a freeze holds", () => {
  it("A16.3 A5.8 waits without a notice, and says the reason and the end", () => {
    const decision = give(armed(), { type: "held", at: at(20), frozen });
    expect(decision.state).toMatchObject({ phase: "held", frozen });
    expect(notices(decision)).toEqual([]);
    expect(inWords(decision.state)).toContain(`frozen until ${at(600)} (release 4.2)`);
    expect(landingView(decision.state)).toMatchObject({ label: "held by a freeze", next: null });
    expect(types(see(decision.state, 60))).toEqual([]);
  });

  it("A16.3 is armed again when it ends: the unchanged head, in the same episode, under a key of its own each time", () => {
    const seen = see(held(), 700, { mergeState: "BLOCKED" }).state;
    const thawed = give(seen, { type: "thawed" });
    expect(thawed.state).toMatchObject({
      phase: "pending",
      episode: 1,
      frozen: null,
      heldAt: null,
    });
    expect(thawed.effects[0]).toMatchObject({
      type: "enqueue",
      why: "thaw",
      key: "enqueue:YOK-7:1:thaw:1",
      call: "enable_auto_merge",
    });
    const again = give(thawed.state, { type: "held", at: at(710), frozen }).state;
    const ready = see(again, 800, { mergeState: "CLEAN" }).state;
    expect(give(ready, { type: "thawed" }).effects[0]).toMatchObject({
      key: "enqueue:YOK-7:1:thaw:2",
      call: "enqueue",
    });
  });

  it("A16.3 A5.9 is not armed again with another head, and the holder is told", () => {
    const pushed = see(held(), 700, { head: otherHead }).state;
    expect(types(give(pushed, { type: "thawed" }))).toEqual(["disarm"]);
  });

  it("A16.3 that somebody queued meanwhile is pending, and no request is sent", () => {
    const seen = see(held(), 700, queued("QUEUED", at(650))).state;
    expect(seen).toMatchObject({ phase: "pending", frozen: null });
    expect(give(seen, { type: "thawed" }).effects).toEqual([]);
  });

  it("A16.3 a person's hold outlasts the freeze", () => {
    const byPerson = give(held(), { type: "held", at: at(30) }).state;
    expect(give(byPerson, { type: "thawed" })).toMatchObject({ state: byPerson, effects: [] });
  });

  it("A16.3 no order of freezes, thaws and readings sends twice under one key or tells the holder", () => {
    const step = fc.constantFrom("freeze", "thaw", "armed", "nothing");
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let state = armed();
        const keys: string[] = [];
        steps.forEach((name, turn) => {
          const seconds = 1 + turn;
          const decision =
            name === "freeze"
              ? give(state, { type: "held", at: at(seconds), frozen })
              : name === "thaw"
                ? give(state, { type: "thawed" })
                : see(state, seconds, name === "armed" ? armedByGitHub : {});
          state = decision.state;
          expect(notices(decision)).toEqual([]);
          for (const effect of decision.effects)
            if (effect.type === "enqueue") keys.push(effect.key);
        });
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});

it("A16.3 the refusal carries project, reason and end", () => {
  const refusal = frozenRefusal("YOK", freeze);
  expect(refusal).toMatchObject({ code: "project_frozen", exit: 2 });
  expect(refusal.message).toBe(`YOK is frozen until ${at(600)}: release 4.2`);
  expect(refusal.next).toContain("yoke project unfreeze YOK");
});
