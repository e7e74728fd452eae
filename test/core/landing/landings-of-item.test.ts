import { describe, expect, it } from "vitest";
import {
  currentLanding,
  landingForMerge,
  landingInCharge,
  shownAttempt,
  shownLanding,
  type OfItem,
} from "../../../src/core/landing/landings-of-item.js";
import type { LandingPhase, LandingState } from "../../../src/core/landing/model.js";
import { candidate, opened } from "./world.js";

const mergedAt = (minute: number) => `2026-12-01T10:${String(minute).padStart(2, "0")}:00Z`;

/** A record of an item whose first landing is by pull request 1, and attempts by those after it. */
function record(
  attempt: number,
  phase: LandingPhase,
  branch: string = `lane/${attempt}`,
): OfItem & { readonly item: string } {
  const merged = phase === "landed" || phase === "closed_out";
  const state: LandingState = {
    ...opened,
    phase,
    ...(attempt === 0 ? {} : { attempt }),
    candidate: phase === "unarmed" ? null : { ...candidate, branch },
    landed: merged ? { mergeCommit: `m${attempt}`, mergedAt: mergedAt(attempt) } : null,
    ended:
      phase === "closed"
        ? { outcome: "closed_unmerged", reason: "closed", at: mergedAt(attempt) }
        : null,
  };
  return { item: "YOK-7", attempt, state };
}

const first = record(0, "closed_out");

describe("which landing speaks for an item", () => {
  it.each([
    ["the first, while nothing was merged", [record(0, "pending")], 0],
    ["the first, while an attempt is open", [first, record(2, "pending")], 0],
    ["the first, after an attempt was closed", [first, record(2, "closed")], 0],
    ["the newest that was merged", [record(3, "landed"), first, record(2, "closed_out")], 3],
  ] as const)("A10.1 the item is on %s", (_name, records, attempt) => {
    expect(currentLanding([...records])?.attempt).toBe(attempt);
  });

  it.each(["unarmed", "pending", "waiting_reentry", "held", "stopped"] as const)(
    "A10.5 an attempt that is %s is what is shown",
    (phase) => expect(shownLanding([first, record(2, phase)])?.attempt).toBe(2),
  );

  it.each(["closed", "landed", "closed_out"] as const)(
    "A10.5 an attempt that is %s is not open",
    (phase) => {
      const shown = shownLanding([first, record(2, phase)]);
      expect(shown?.attempt).toBe(phase === "closed" ? 0 : 2);
    },
  );

  it.each([
    ["pending", 2],
    ["waiting_reentry", 2],
    ["held", 2],
    ["stopped", 2],
    ["unarmed", 0],
    ["closed", 0],
  ] as const)("A10.6 with an attempt that is %s, landing %i is in charge", (phase, attempt) => {
    expect(landingInCharge([record(0, "landed"), record(2, phase)])?.attempt).toBe(attempt);
  });

  it("A10.7 the attempt that is shown is the open one, else the one that ended last", () => {
    expect(shownAttempt([first])).toBeNull();
    expect(shownAttempt([first, record(2, "closed"), record(3, "closed")])?.attempt).toBe(3);
    expect(shownAttempt([first, record(3, "closed"), record(2, "held")])?.attempt).toBe(2);
  });

  it.each([
    ["the first landing", [record(0, "pending")], "lane/0", 0],
    ["the armed attempt of the same lane", [first, record(2, "pending")], "lane/2", 2],
    ["the armed attempt, without a lane", [first, record(2, "pending")], null, 2],
    ["the attempt that is open, for a lane that is new", [first, record(2, "held")], "lane/9", 2],
    ["what the lane owes close-out for", [record(0, "landed"), record(2, "pending")], "lane/0", 0],
    ["the landing the item is on, for a lane that is new", [first, record(2, "landed")], "new", 2],
    ["the lane's own landing, to look at a kept lane", [first, record(2, "landed")], "lane/0", 0],
  ] as const)("A10.1 A12.1 a merge goes to %s", (_name, records, branch, attempt) => {
    expect(landingForMerge([...records], branch)?.attempt).toBe(attempt);
  });
});
