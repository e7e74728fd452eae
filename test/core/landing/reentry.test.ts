import { describe, expect, it } from "vitest";
import type { LandingState } from "../../../src/core/landing/model.js";
import {
  armed,
  armedByGitHub,
  at,
  answer,
  give,
  newest,
  notices,
  otherHead,
  queued,
  see,
  types,
} from "./world.js";

const conflicting = { ...queued("UNMERGEABLE"), mergeState: "CLEAN" } as const;
const gone = { mergeState: "CLEAN" } as const;

function ahead(state: LandingState, numbers: readonly number[] | null) {
  return give(state, {
    type: "queueAhead",
    observation: newest(state),
    conflict:
      numbers === null
        ? null
        : { ahead: numbers, sharedFiles: ["src/a.ts"], seenAt: newest(state).readAt },
  });
}

/** In the queue behind 10 and 11, which the candidate conflicts with. */
function waiting(): LandingState {
  return ahead(see(armed(), 10, conflicting).state, [10, 11]).state;
}

describe("conflicts with entries ahead only", () => {
  it("A5.5 A7.1 the entries ahead and the shared files are kept, and the notice asks nothing", () => {
    const conflict = see(armed(), 10, conflicting);
    expect(types(conflict)).toEqual(["readQueueAhead"]);
    const snapshot = ahead(conflict.state, [10, 11]);
    expect(snapshot.state).toMatchObject({
      phase: "waiting_reentry",
      queueConflict: { ahead: [10, 11], sharedFiles: ["src/a.ts"] },
    });
    const [notice] = notices(snapshot);
    expect(notice).toMatchObject({ kind: "queue_conflict", next: null, reason: null });
    expect(notice?.body).toContain("#10, #11");
    expect(notice?.body).toContain("proves no conflict");
    expect(notice?.body).toContain("yoke github merge-queue hold YOK-7");
  });

  it("A7.2 the unchanged head is queued again only when the entries ahead have left", () => {
    const still = ahead(see(waiting(), 40, gone).state, [11, 20]);
    expect(types(still)).toEqual(["recheck"]);
    expect(still.why).toContain("#11");
    const left = ahead(see(still.state, 80, gone).state, [20]);
    expect(left.effects).toMatchObject([
      { type: "enqueue", key: "enqueue:YOK-7:1:reentry:1", why: "reentry", call: "enqueue" },
      { type: "recheck" },
    ]);
    expect(types(see(left.state, 85, gone))).toEqual(["recheck"]);
    expect(see(left.state, 90, queued("QUEUED", at(86))).state).toMatchObject({
      phase: "pending",
      queueConflict: null,
    });
  });

  it("A7.2 an entry that stays unmergeable is taken out before it is queued again", () => {
    const left = ahead(see(waiting(), 80, conflicting).state, []);
    expect(types(left)).toEqual(["disarm", "enqueue", "recheck"]);
  });

  it("A7.2 with required checks outstanding it asks for merge-when-ready instead", () => {
    const left = ahead(see(waiting(), 80, { mergeState: "BLOCKED" }).state, []);
    expect(left.effects[0]).toMatchObject({ type: "enqueue", call: "enable_auto_merge" });
  });

  it("A7.3 without the list of entries nothing is queued again", () => {
    expect(types(ahead(see(waiting(), 80, gone).state, null))).toEqual(["recheck"]);
    const first = ahead(see(armed(), 10, conflicting).state, null);
    expect(first.state.phase).toBe("pending");
    expect(types(first)).toEqual(["recheck"]);
  });

  it("A7.2 a conflict with the base afterwards is a stop that asks for a rebase", () => {
    const conflict = see(waiting(), 80, { mergeable: "CONFLICTING", mergeState: "DIRTY" });
    expect(types(conflict)).toEqual(["readStopEvidence"]);
    const stopped = answer(conflict.state);
    expect(notices(stopped)).toMatchObject([{ reason: "conflicts_with_base" }]);
  });

  it("A7.2 undecided mergeability waits on, and a new head stops", () => {
    const blind = see(waiting(), 80, { mergeable: "UNKNOWN", mergeState: "UNKNOWN" });
    expect(blind.state.phase).toBe("waiting_reentry");
    expect(types(blind)).toEqual(["recheck"]);
    expect(types(see(waiting(), 80, { head: otherHead }))).toEqual(["disarm"]);
  });

  it("A7.2 A5.8 a hold switches re-entry off", () => {
    const held = give(waiting(), { type: "held", at: at(50) }).state;
    expect(see(held, 80, gone)).toMatchObject({ state: { phase: "held" }, effects: [] });
    const late = ahead(see(waiting(), 80, gone).state, []);
    expect(types(late)).toContain("enqueue");
    const heldFirst = give(see(waiting(), 80, gone).state, { type: "held", at: at(81) }).state;
    expect(ahead(heldFirst, []).effects).toEqual([]);
  });

  it("A7.2 a re-entry that GitHub does not take up becomes a stop after the grace period", () => {
    const asked = ahead(see(waiting(), 80, gone).state, []).state;
    const given = see(asked, 200, gone);
    expect(types(given)).toEqual(["readStopEvidence"]);
    expect(notices(answer(given.state))).toMatchObject([{ reason: "queue_conflict_unresolved" }]);
  });

  it("A7.2 A7.4 a re-entry of which readings show nothing is asked for again under another key, twice at most", () => {
    const lost = (state: LandingState, second: number) => {
      const observation = { ...newest(state), readAt: at(second) };
      return give(state, { type: "reentryLost", observation });
    };
    let asked = ahead(see(waiting(), 80, gone).state, []).state;
    for (const number of [2, 3]) {
      const again = lost(asked, 80 + number);
      expect(types(again)).toEqual(["readQueueAhead"]);
      const sent = ahead(again.state, []);
      expect(sent.effects).toMatchObject([
        { type: "enqueue", key: `enqueue:YOK-7:1:reentry:${number}`, why: "reentry" },
        { type: "recheck" },
      ]);
      asked = sent.state;
    }
    expect(types(lost(asked, 84))).toEqual(["recheck"]);
    // Without a reading nothing is sent again.
    const first = ahead(see(waiting(), 80, gone).state, []).state;
    expect(types(give(first, { type: "reentryLost", observation: null }))).toEqual(["recheck"]);
  });

  it("A7.5 a re-entry that GitHub refuses is a stop in GitHub's words, unless the next reading says more", () => {
    const asked = ahead(see(waiting(), 80, gone).state, []).state;
    const no = { message: "not accessible", next: "Restore Contents: write." };
    const refused = give(asked, { type: "reentryRefused", observation: null, ...no });
    expect(types(refused)).toEqual(["readStopEvidence"]);
    const [notice] = notices(answer(refused.state));
    expect(notice).toMatchObject({ reason: "queue_conflict_unresolved" });
    expect(notice?.body).toContain("GitHub refused to queue it again: not accessible");
    expect(notice?.next).toContain("Restore Contents: write.");

    const observation = { ...newest(asked), readAt: at(90), mergeable: "CONFLICTING" as const };
    const conflict = give(asked, { type: "reentryRefused", observation, ...no });
    expect(notices(answer(conflict.state))).toMatchObject([{ reason: "conflicts_with_base" }]);
    // A new governed arming forgets it.
    expect(armed().reentryRefused ?? null).toBeNull();
  });

  it("A7.1 A6.1 a second conflict takes a new snapshot and a new key, without a second notice", () => {
    const asked = ahead(see(waiting(), 80, gone).state, []).state;
    const again = see(asked, 100, { ...queued("UNMERGEABLE", at(90)), mergeState: "CLEAN" });
    expect(types(again)).toEqual(["readQueueAhead"]);
    const second = ahead(again.state, [30]);
    expect(second.state.queueConflict?.ahead).toEqual([30]);
    expect(notices(second)).toEqual([]);
    const left = ahead(see(second.state, 140, gone).state, []);
    expect(left.effects[0]).toMatchObject({ key: "enqueue:YOK-7:1:reentry:2" });
  });

  it("A7.2 merge-when-ready on the waiting head is GitHub's again", () => {
    expect(see(waiting(), 80, armedByGitHub).state.phase).toBe("pending");
  });
});
