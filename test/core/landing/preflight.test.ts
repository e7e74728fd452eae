import { describe, expect, it } from "vitest";
import { preflight, type PreflightInput } from "../../../src/core/landing/preflight.js";
import type { Qualification } from "../../../src/core/records.js";
import type { Refusal } from "../../../src/core/refusals.js";
import { armedByGitHub, at, candidate, head, observation, otherHead, tree } from "./world.js";

const otherTree = "e".repeat(40);

const passed: Qualification = {
  id: "q-1",
  item: "YOK-7",
  commit: head,
  tree,
  requirementDigest: "r2",
  verdict: "passed",
  evidence: "npm test: 212 passed",
  recordedBy: "person",
  recordedAt: at(0),
};

const input: PreflightInput = {
  item: "YOK-7",
  lane: { path: "/lanes/yok-7", branch: "yok-7", head, tree, dirty: [] },
  registeredBranch: "yok-7",
  project: { key: "YOK", gateBranch: "main", requirementDigest: "r2", closeOut: "ancestry" },
  qualifications: [passed],
  predecessors: { read: "list", predecessors: [] },
  target: {
    branchHead: head,
    observation: observation(0),
    queueEnabled: true,
    queueMergeMethod: "MERGE",
    autoMergeAllowed: true,
    gate: {
      head: otherHead,
      declaration: { read: "absent" },
      live: { read: "rules", rulesets: [] },
    },
  },
};

function refusals(changes: Partial<PreflightInput>): readonly Refusal[] {
  const answer = preflight({ ...input, ...changes });
  return answer.passed ? [] : answer.refusals;
}

function only(changes: Partial<PreflightInput>): Refusal {
  const [first, ...rest] = refusals(changes);
  expect(rest).toEqual([]);
  if (first === undefined) throw new Error("nothing was refused");
  return first;
}

const lane = (changes: Partial<PreflightInput["lane"]>) => ({
  lane: { ...input.lane, ...changes },
});
const target = (changes: Partial<PreflightInput["target"]>) => ({
  target: { ...input.target, ...changes },
});

describe("the preflight of a merge", () => {
  it("A1.2 the exact verified candidate passes, with the qualification that stands for it", () => {
    expect(preflight(input)).toEqual({ passed: true, candidate, route: "queue" });
  });

  it("A1.2 a pull request that has yet to be opened passes too", () => {
    expect(refusals(target({ observation: null }))).toEqual([]);
  });

  it("A1.2 a dirty lane lists its files", () => {
    const refusal = only(lane({ dirty: ["src/a.ts", "notes.txt"] }));
    expect(refusal.code).toBe("lane_dirty");
    expect(refusal.message).toContain("src/a.ts, notes.txt");
  });

  it("A1.2 a detached lane, or one on another branch, names what it is on", () => {
    expect(only(lane({ branch: null }))).toMatchObject({ code: "lane_detached" });
    const other = preflight({ ...input, ...lane({ branch: "spike" }) });
    expect(other.passed ? [] : other.refusals.map(({ code }) => code)).toContain("lane_detached");
    expect(only(lane({ branch: null })).next).toContain("git switch yok-7");
  });

  it("A1.2 a lane that is the gate branch itself is refused with a way out, pushed or not; on a branch of its own it passes", () => {
    for (const branchHead of [head, otherHead]) {
      const refusal = only({
        ...lane({ branch: "main" }),
        ...target({ branchHead, observation: null }),
        registeredBranch: "main",
      });
      expect(refusal).toMatchObject({ code: "lane_is_gate_branch", exit: 2 });
      expect(refusal.next).toContain("`git switch -c yok-7`");
      expect(refusal.next).not.toContain("git push");
    }
    expect(refusals(target({ observation: null }))).toEqual([]);
  });

  it("A1.2 an unpushed head says both commits, or that the branch is not there", () => {
    const different = only(target({ branchHead: otherHead }));
    expect(different.code).toBe("lane_head_unpushed");
    expect(different.message).toContain(head);
    expect(different.message).toContain(otherHead);
    const missing = only(target({ branchHead: null, observation: null }));
    expect(missing.message).toContain("GitHub has no branch `yok-7`");
    expect(missing.next).toContain("git push -u origin yok-7");
  });

  it("A1.2 case A20 a pull request with another live head names both", () => {
    const refusal = only(target({ observation: observation(0, { head: otherHead }) }));
    expect(refusal).toMatchObject({ code: "pull_request_head_moved" });
    expect(refusal.message).toContain(otherHead);
  });

  it("A1.2 a closed pull request of the branch is not in the way: another is opened", () => {
    const closed = observation(0, { state: "CLOSED", head: otherHead });
    expect(refusals(target({ observation: closed }))).toEqual([]);
  });

  it("A1.2 a pull request into another branch is refused", () => {
    const elsewhere = observation(0, { baseBranch: "release" });
    expect(only(target({ observation: elsewhere })).code).toBe("pull_request_base_differs");
  });

  it.each([
    ["none at all", "qualification_missing", [], "no qualification at all"],
    ["another commit", "qualification_missing", [{ commit: otherHead }], otherHead],
    ["another tree", "qualification_missing", [{ tree: otherTree }], otherTree],
    ["an older requirement", "qualification_outdated", [{ requirementDigest: "r1" }], "r1"],
    ["a failed verdict", "qualification_failed", [{ verdict: "failed" }], "failed at"],
    [
      "a failure after a pass",
      "qualification_failed",
      [{}, { verdict: "failed", recordedAt: at(60) }],
      "failed at",
    ],
  ] as const)("A1.2 qualification: %s is told apart", (_name, code, changes, words) => {
    const qualifications = changes.map((change) => ({ ...passed, ...change }));
    const refusal = only({ qualifications });
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(words);
    expect(refusal.next).toContain("`yoke verify record YOK-7`");
  });

  it("A1.2 its twin: a pass after a failure of the same commit stands", () => {
    const failed = { ...passed, id: "q-0", verdict: "failed", recordedAt: at(-60) } as const;
    expect(preflight({ ...input, qualifications: [failed, passed] }).passed).toBe(true);
  });

  it("A3.2 a blocked gate names each predecessor with its status, and only those in the way", () => {
    const refusal = only({
      predecessors: {
        read: "list",
        predecessors: [
          { item: "YOK-1", title: "Schema", status: "landed" },
          { item: "YOK-2", title: "Reader", status: "open" },
          { item: "YOK-3", title: "Writer", status: "landing" },
        ],
      },
    });
    expect(refusal.code).toBe("integration_dependency_blocked");
    expect(refusal.message).toContain('YOK-2 "Reader" (open), YOK-3 "Writer" (landing)');
    expect(refusal.message).not.toContain("YOK-1");
  });

  it("A3.2 an unreadable gate never passes", () => {
    const refusal = only({ predecessors: { read: "unreadable", why: "connection refused" } });
    expect(refusal.code).toBe("integration_dependency_gate_unavailable");
    expect(refusal.message).toContain("connection refused");
  });

  it("A12.3 a branch that declares no queue and has none is landed on directly, and no other", () => {
    const text = '{"queue":null,"required_checks":[],"strict":false}';
    const declaration = { read: "text", text } as const;
    const gate = { head: otherHead, declaration, live: { read: "rules", rulesets: [] } } as const;
    const without = { queueEnabled: false, queueMergeMethod: null };
    const route = (changes: Partial<PreflightInput["target"]>) => {
      const answer = preflight({
        ...input,
        ...lane({ declaration }),
        ...target({ ...without, gate, ...changes }),
      });
      return answer.passed ? answer.route : answer.refusals.map(({ code }) => code);
    };
    expect(route({})).toBe("direct");
    expect(route({ queueUnreadable: "hidden" })).toEqual(["merge_queue_probe_failed"]);
    expect(route({ gate: { ...gate, declaration: { read: "absent" } } })).toEqual([
      "merge_queue_missing",
    ]);
    expect(route({ queueEnabled: true, queueMergeMethod: "MERGE" })).toBe("queue");
    const hidden = { read: "unreadable", why: "hidden" } as const;
    expect(route({ gate: { ...gate, live: hidden } })).toEqual([
      "gate_declaration_unverified",
      "merge_queue_missing",
    ]);
  });

  it("A2.6 case A35 a branch without a queue is named", () => {
    const refusal = only(target({ queueEnabled: false, queueMergeMethod: null }));
    expect(refusal.code).toBe("merge_queue_missing");
    expect(refusal.next).toContain("`main`");
  });

  it("A12.2 a queue that GitHub does not speak of is no missing queue: the probe failed", () => {
    const refusal = only(
      target({ queueEnabled: false, queueMergeMethod: null, queueUnreadable: "not for you" }),
    );
    expect(refusal.code).toBe("merge_queue_probe_failed");
    expect(refusal.message).toContain("not for you");
  });

  it("A2.2 a lane whose declaration differs from the live rules is refused; nothing declared is not", () => {
    const declaration = { read: "text", text: '{"queue":null,"required_checks":[],"strict":true}' };
    const refusal = only(lane({ declaration } as Partial<PreflightInput["lane"]>));
    expect(refusal.code).toBe("gate_declaration_unverified");
    expect(refusal.message).toContain("strict: declared true, live false");
    expect(refusals(lane({ declaration: { read: "absent" } }))).toEqual([]);
  });

  it.each(["SQUASH", "REBASE"] as const)(
    "A2.5 a queue that merges by %s has its own code",
    (method) => {
      expect(only(target({ queueMergeMethod: method })).code).toBe("merge_method_cannot_be_proved");
    },
  );

  it("A1.2 auto-merge that is not allowed is refused only where it is needed", () => {
    const off = { autoMergeAllowed: false };
    expect(only(target(off)).code).toBe("auto_merge_not_allowed");
    expect(only(target({ ...off, observation: null })).code).toBe("auto_merge_not_allowed");
    const ready = observation(0, { mergeState: "CLEAN" });
    expect(refusals(target({ ...off, observation: ready }))).toEqual([]);
    expect(refusals(target({ ...off, observation: observation(0, armedByGitHub) }))).toEqual([]);
  });

  it("A1.2 A3.2 every reason comes at once", () => {
    const codes = refusals({
      ...lane({ dirty: ["a"], head: otherHead }),
      predecessors: { read: "unreadable", why: "down" },
      ...target({ queueMergeMethod: "SQUASH", autoMergeAllowed: false }),
    }).map(({ code }) => code);
    expect(codes).toEqual([
      "lane_dirty",
      "lane_head_unpushed",
      "pull_request_head_moved",
      "qualification_missing",
      "integration_dependency_gate_unavailable",
      "merge_method_cannot_be_proved",
      "auto_merge_not_allowed",
    ]);
  });
});
