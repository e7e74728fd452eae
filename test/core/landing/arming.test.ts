import { describe, expect, it } from "vitest";
import { chooseArming, confirmArming } from "../../../src/core/landing/arming.js";
import type { Observation } from "../../../src/core/landing/model.js";
import {
  armedByGitHub,
  candidate,
  mergedOnGitHub,
  observation,
  otherHead,
  queued,
} from "./world.js";

function choose(changes: Partial<Observation>) {
  return chooseArming(observation(0, changes), candidate);
}

function codes(changes: Partial<Observation>): readonly string[] {
  const choice = choose(changes);
  return choice.do === "refuse" ? choice.refusals.map(({ code }) => code) : [choice.do];
}

/** What GitHub does with each route in each state (github-facts 1.3), as far as the choice must avoid a refusal. */
const accepts = {
  pending: ["enable_auto_merge"],
  green: ["enqueue"],
  blocked: ["enable_auto_merge"],
  unstable: ["enqueue"],
} as const;

const start = {
  pending: { mergeState: "BLOCKED" },
  green: { mergeState: "CLEAN" },
  blocked: { mergeState: "BEHIND" },
  unstable: { mergeState: "UNSTABLE" },
} as const;

describe("choosing the arming call", () => {
  for (const state of ["pending", "green", "blocked", "unstable"] as const) {
    for (const route of ["enqueue", "enable_auto_merge"] as const) {
      const right = (accepts[state] as readonly string[]).includes(route);
      it(`A1.3 case A07 a ${state} pull request is ${right ? "" : "never "}sent ${route}`, () => {
        expect(choose(start[state]).do === route).toBe(right);
      });
    }
  }

  it.each(["enqueue", "enable_auto_merge"] as const)(
    "A1.3 case A07 an unknown pull request is read again, never sent %s",
    (route) => {
      const choice = choose({ mergeable: "UNKNOWN", mergeState: "UNKNOWN" });
      expect(choice.do).toBe("read_again");
      expect(choice.do).not.toBe(route);
    },
  );

  it("A1.3 HAS_HOOKS is ready as CLEAN is", () => {
    expect(choose({ mergeState: "HAS_HOOKS" }).do).toBe("enqueue");
  });

  it("A1.3 case A08 what GitHub holds already gets no second request", () => {
    expect(choose(armedByGitHub)).toEqual({ do: "already" });
    expect(choose(queued("AWAITING_CHECKS"))).toEqual({ do: "already" });
    expect(choose({ ...queued(), mergeable: "UNKNOWN", mergeState: "UNKNOWN" }).do).toBe("already");
  });

  it("A1.2 case A08 another head is refused even when GitHub holds it", () => {
    expect(codes({ ...queued(), head: otherHead })).toEqual(["pull_request_head_moved"]);
    expect(codes({ mergeState: "CLEAN", head: otherHead })).toEqual(["pull_request_head_moved"]);
  });

  it("A1.3 an unreadable queue is read again", () => {
    const choice = choose({ queue: { read: "unreadable", why: "502" } });
    expect(choice).toMatchObject({ do: "read_again" });
    expect(choice.do === "read_again" && choice.why).toContain("502");
  });

  for (let unknowns = 0; unknowns <= 6; unknowns += 1) {
    it(`case A12 unknown for ${unknowns} reads, then a conflict: never armed in between`, () => {
      const reads = [
        ...Array.from({ length: unknowns }, () => ({ mergeable: "UNKNOWN" }) as const),
        { mergeable: "CONFLICTING", mergeState: "DIRTY" } as const,
      ];
      const choices = reads.map((read) => choose(read).do);
      expect(choices).toEqual([...Array.from({ length: unknowns }, () => "read_again"), "refuse"]);
    });
  }

  it("case A12 its twin: unknown, then mergeable and ready, is enqueued", () => {
    expect(choose({ mergeable: "UNKNOWN", mergeState: "CLEAN" }).do).toBe("read_again");
    expect(choose({ mergeable: "MERGEABLE", mergeState: "UNKNOWN" }).do).toBe("read_again");
    expect(choose({ mergeable: "MERGEABLE", mergeState: "CLEAN" }).do).toBe("enqueue");
  });

  it.each([
    ["unknown", { mergeable: "UNKNOWN" }, ["read_again"]],
    ["blocked", { mergeState: "BLOCKED" }, ["enable_auto_merge"]],
    ["a draft", { isDraft: true, mergeState: "BLOCKED" }, ["pull_request_draft"]],
    ["a draft by its merge state", { mergeState: "DRAFT" }, ["pull_request_draft"]],
    ["dirty while unknown", { mergeable: "UNKNOWN", mergeState: "DIRTY" }, ["read_again"]],
  ] as const)("case A13 %s is not read as a conflict", (_name, changes, expected) => {
    expect(codes(changes)).toEqual(expected);
  });

  it("case A13 its twin: a decided conflict is", () => {
    expect(codes({ mergeable: "CONFLICTING" })).toEqual(["pull_request_conflicts"]);
    expect(codes({ mergeState: "DIRTY" })).toEqual(["pull_request_conflicts"]);
  });

  it("A2.6 case A35 a branch without a queue is refused by name", () => {
    expect(codes({ queueEnabled: false, mergeState: "CLEAN" })).toEqual(["merge_queue_missing"]);
  });

  it("A1.3 a closed or merged pull request is refused", () => {
    expect(codes({ state: "CLOSED" })).toEqual(["pull_request_closed"]);
    expect(codes(mergedOnGitHub)).toEqual(["pull_request_closed"]);
  });

  it("A1.2 every reason comes at once", () => {
    expect(
      codes({ head: otherHead, isDraft: true, queueEnabled: false, mergeable: "CONFLICTING" }),
    ).toEqual([
      "pull_request_head_moved",
      "pull_request_draft",
      "merge_queue_missing",
      "pull_request_conflicts",
    ]);
  });
});

describe("reading an arming back", () => {
  it.each([
    ["queued", { ...queued(), autoMerge: null }],
    ["queued", { ...queued(), ...armedByGitHub }],
    ["armed", armedByGitHub],
    ["merged", mergedOnGitHub],
    ["neither", { mergeState: "CLEAN" }],
    ["neither", { state: "CLOSED" }],
    ["unknown", { mergeable: "UNKNOWN" }],
    ["unknown", { queue: { read: "unreadable", why: "502" } }],
    ["armed", { ...armedByGitHub, queue: { read: "unreadable", why: "502" } }],
  ] as const)("A1.3 case A09 the read-back says %s", (expected, changes) => {
    expect(confirmArming(observation(1, changes))).toBe(expected);
  });
});
