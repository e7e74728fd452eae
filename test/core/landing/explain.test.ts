import { describe, expect, it } from "vitest";
import { describe as whyOf } from "../../../src/core/landing/describe.js";
import { explain, type ExplainInput } from "../../../src/core/landing/explain.js";
import type { LandingState, Observation } from "../../../src/core/landing/model.js";
import type {
  Item,
  Lane,
  LandingRecord,
  Notice,
  Project,
  Qualification,
} from "../../../src/core/records.js";
import {
  answer,
  armed,
  armedByGitHub,
  at,
  give,
  head,
  mergedOnGitHub,
  observation,
  opened,
  otherHead,
  queued,
  see,
  tree,
} from "./world.js";

const project: Project = {
  key: "YOK",
  owner: "o",
  name: "r",
  repositoryId: 1,
  apiUrl: "https://api.github.example",
  gateBranch: "main",
  closeOut: "ancestry",
  deleteRemoteBranches: false,
  credential: { kind: "token", token: "env:GITHUB_TOKEN" },
  connection: "c1",
  webhookSecret: null,
  requirementDigest: "r2",
  requirement: "npm test",
  upkeepSeconds: 60,
  refreshError: null,
  refreshedAt: at(0),
  createdAt: at(0),
};
const item: Item = {
  key: "YOK-7",
  project: "YOK",
  number: 7,
  title: "Reader",
  body: "",
  status: "open",
  mergedAt: null,
  mergeQueueLandedAt: null,
  mergeCommit: null,
  createdAt: at(0),
};
const lane: Lane = {
  id: "l-1",
  item: "YOK-7",
  branch: "yok-7",
  path: "/lanes/yok-7",
  commonDir: "/repo/.git",
  host: "here",
  remote: "origin",
  state: "active",
  integration: false,
  registeredAt: at(0),
};
const qualification: Qualification = {
  id: "q-1",
  item: "YOK-7",
  commit: head,
  tree,
  requirementDigest: "r2",
  verdict: "passed",
  evidence: "ok",
  recordedBy: "person",
  recordedAt: at(0),
};
const undelivered: Notice = {
  id: "n-1",
  key: "YOK-7/1/stopped",
  project: "YOK",
  item: "YOK-7",
  episode: 1,
  kind: "stopped",
  title: "YOK-7 stopped",
  body: "",
  next: null,
  reason: "left_the_queue",
  failedChecks: [],
  recipient: "s-1",
  state: "pending",
  createdAt: at(0),
  deliveredAt: null,
  attempts: 3,
  lastError: "connection refused",
};

function record(state: LandingState): LandingRecord {
  return {
    item: "YOK-7",
    attempt: state.attempt ?? 0,
    project: "YOK",
    pullRequest: state.pullRequest?.number ?? null,
    nodeId: state.pullRequest?.nodeId ?? null,
    state,
    version: 1,
    why: whyOf(state),
    stateAt: at(0),
    observation: state.lastObservation,
    observedAt: state.lastObservation?.readAt ?? null,
    result: null,
    verification: null,
  };
}

const base: ExplainInput = {
  item,
  lanes: [lane],
  qualifications: [qualification],
  predecessors: [],
  record: null,
  project,
  freeze: null,
  notices: [],
  receipts: [],
  now: at(30),
};

function codes(changes: Partial<ExplainInput>): readonly string[] {
  return explain({ ...base, ...changes }).map(({ code }) => code);
}

const failed = {
  name: "test",
  conclusion: "FAILURE",
  url: "https://ci.example/1",
  on: "group",
} as const;

describe("why an item has not landed", () => {
  it.each([
    ["verified, not armed", {}, ["not_armed"]],
    ["no lane", { lanes: [] }, ["lane_unknown"]],
    ["a removed lane is none", { lanes: [{ ...lane, state: "removed" }] }, ["lane_unknown"]],
    ["not verified", { qualifications: [] }, ["qualification_missing"]],
    [
      "only failures",
      { qualifications: [{ ...qualification, verdict: "failed" }] },
      ["qualification_failed"],
    ],
    [
      "an older requirement",
      { qualifications: [{ ...qualification, requirementDigest: "r1" }] },
      ["qualification_outdated"],
    ],
    ["armed", { record: record(armed()) }, ["waiting_for_checks"]],
    ["queued", { record: record(armed(queued())) }, ["pending"]],
    [
      "armed, in conflict",
      { record: record(armed({ ...armedByGitHub, mergeable: "CONFLICTING" })) },
      ["pull_request_conflicts"],
    ],
    [
      "armed, a draft",
      { record: record(armed({ ...armedByGitHub, isDraft: true })) },
      ["pull_request_draft"],
    ],
    ["held", { record: record(give(armed(), { type: "held", at: at(9) }).state) }, ["held"]],
    ["merged", { record: record(see(armed(), 9, mergedOnGitHub).state) }, ["close_out_owed"]],
  ] as const)("A16.4 %s", (_name, changes, expected) => {
    expect(codes(changes)).toEqual(expected);
  });

  it("A16.4 a stop comes with each failed check, its address, and what to do", () => {
    const state = answer(see(armed(), 9).state, { failedChecks: [failed] }).state;
    const reasons = explain({ ...base, record: record(state) });
    expect(reasons.map(({ code }) => code)).toEqual(["checks_failed", "check_failed"]);
    expect(reasons[1]?.next).toContain("https://ci.example/1");
  });

  it("A16.4 a stop that somebody armed past says so, and a late reading of the arming before it does not", () => {
    const stopped = record(answer(see(armed(), 9).state).state);
    const codesSeen = (observed: Observation) =>
      codes({ record: { ...stopped, observation: observed } });
    const late = { autoMerge: { enabledAt: at(5) } };
    expect(codesSeen(observation(70, late))).toEqual(["left_the_queue"]);
    const past = { autoMerge: { enabledAt: at(60) } };
    expect(codesSeen(observation(70, past))).toEqual(["left_the_queue", "armed_without_yoke"]);
    expect(codesSeen(observation(70, queued("QUEUED", at(60))))).toContain("armed_without_yoke");
    const closed = observation(70, { ...past, state: "CLOSED" });
    expect(codesSeen(closed)).toEqual(["left_the_queue"]);
  });

  it("A16.4 A6.2 a stop that GitHub did not let go of names the hold command", () => {
    const moved = see(armed(), 9, { ...armedByGitHub, head: otherHead }).state;
    const state = give(moved, { type: "disarmResult", ok: false, why: "403", at: at(9) }).state;
    const reasons = explain({ ...base, record: record(state) });
    expect(reasons.map(({ code }) => code)).toEqual(["head_changed", "disarm_failed"]);
    expect(reasons[1]?.next).toContain("yoke github merge-queue hold YOK-7");
  });

  it("A16.4 every reason at once, the landing's own first", () => {
    const state = answer(see(armed(), 9).state).state;
    expect(
      codes({
        record: record(state),
        predecessors: [{ item: "YOK-1", title: "Schema", status: "open" }],
        qualifications: [],
        project: {
          ...project,
          refreshError: { code: "github_access_refused", message: "401", at: at(1) },
        },
        notices: [undelivered],
        now: at(3600),
      }),
    ).toEqual([
      "left_the_queue",
      "integration_dependency_blocked",
      "qualification_missing",
      "github_access_refused",
      "record_old",
      "notice_undelivered",
    ]);
  });

  it("A16.4 A4.3 a record older than two refresh intervals says its age", () => {
    expect(codes({ record: record(armed(queued())), now: at(120) })).toEqual(["pending"]);
    const [, old] = explain({ ...base, record: record(armed(queued())), now: at(7200) });
    expect(old?.text).toContain("2 h ago");
  });

  it("A16.4 A1.5 a landing that waits says its place and its checks as they were last read", () => {
    const waiting = record(see(armed(), 10, queued()).state);
    const entry = { ...queued("AWAITING_CHECKS").queue.entry, position: 2, groupCommit: otherHead };
    const group = { passed: 3, failed: 0, running: 1 };
    const seen = observation(70, {
      queue: { read: "entry", entry },
      checks: { head: { passed: 9, failed: 0, running: 0 }, group },
    });
    const [reason] = explain({ ...base, record: { ...waiting, observation: seen } });
    expect(reason?.text).toContain("at position 2 (AWAITING_CHECKS");
    expect(reason?.text).toMatch(/; checks of the group: 3 passed, 1 running\.$/);
  });

  it("A16.4 what is said of a landing that waits is of the newest reading, not of the one it was stored with", () => {
    const waiting = record(armed());
    expect(waiting.why).toContain("waits for its required checks");
    const seen = observation(70, { ...armedByGitHub, mergeable: "CONFLICTING" });
    const [reason] = explain({ ...base, record: { ...waiting, observation: seen } });
    expect(reason).toMatchObject({ code: "pull_request_conflicts" });
    expect(reason?.text).toContain("conflicts with `main`");
    expect(reason?.text).not.toContain("waits for its required checks");
  });

  it("A16.4 A6.3 notices that nobody was told are one reason", () => {
    const untold = { ...undelivered, recipient: null, lastError: "its holder is gone" };
    const reasons = explain({ ...base, notices: [untold, { ...untold, title: "YOK-7 landed" }] });
    expect(reasons.map(({ code }) => code)).toEqual(["not_armed", "notice_undelivered"]);
    expect(reasons[1]?.text).toBe(
      'Nobody was told "YOK-7 stopped" and "YOK-7 landed": its holder is gone.',
    );
  });

  it("A16.4 an undelivered notice says how often it was tried, and a delivered one nothing", () => {
    const [, notice] = explain({ ...base, notices: [undelivered] });
    expect(notice?.text).toContain("3 attempts; last: connection refused");
    expect(notice?.next).toContain("s-1");
    expect(codes({ notices: [{ ...undelivered, state: "delivered" }] })).toEqual(["not_armed"]);
  });

  it("A6.3 a landing whose notice reached nobody names who could be told, also when it landed", () => {
    const landed = record(see(armed(), 10, mergedOnGitHub).state);
    const notice = {
      ...undelivered,
      recipient: null,
      lastError: "its holder is gone and the project has no steering seat",
    };
    const reasons = explain({ ...base, record: landed, notices: [notice] });
    expect(reasons.map(({ code }) => code)).toEqual(["close_out_owed", "notice_undelivered"]);
    expect(reasons[1]?.text).toContain("its holder is gone");
    expect(reasons[1]?.next).toContain("`yoke claim YOK-7`");
  });

  it("A16.4 a landed item gets one line that says so", () => {
    const landed = see(armed(), 9, mergedOnGitHub).state;
    const state = give(landed, { type: "closedOut" }).state;
    const reasons = explain({
      ...base,
      item: { ...item, status: "landed", mergedAt: at(5), mergeCommit: "d".repeat(40) },
      record: record(state),
      notices: [undelivered],
    });
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatchObject({ code: "landed", next: null });
    expect(reasons[0]?.text).toContain("d".repeat(40));
  });

  it("A16.4 no landing is without a reason, and each reason is a whole sentence", () => {
    const states = [
      opened,
      see(opened, 1).state,
      see(opened, 1, { state: "CLOSED" }).state,
      armed(),
      armed({}),
      armed({ queue: { read: "unreadable", why: "502" } }),
      armed({ mergeable: "UNKNOWN" }),
      armed(queued("UNMERGEABLE")),
      see(armed(), 9, { state: "MERGED", merge: null }).state,
    ];
    for (const state of states) {
      const reasons = explain({ ...base, record: record(state) });
      expect(reasons.length).toBeGreaterThan(0);
      for (const { text, next } of reasons) {
        expect(text).toMatch(/^[A-Z`].*[.?]$/);
        expect(next ?? "Wait.").toMatch(/^[A-Z].*\.$/);
      }
    }
  });
});
