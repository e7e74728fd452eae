import { expect, it } from "vitest";
import {
  cancelCause,
  causeInWords,
  type CancelCause,
} from "../../../src/core/recovery/cancelled.js";
import type { Job, WorkflowRun } from "../../../src/core/recovery/evidence.js";
import { job, run } from "./evidence.js";

const queue = "gh-readonly-queue/main/pr-7-0123456789";
const group = run({ event: "merge_group", branch: queue, head: "b".repeat(40) });
const newer = run({ id: 101, number: 11, createdAt: "2026-03-01T12:05:00Z" });

const table: readonly (readonly [
  string,
  CancelCause,
  WorkflowRun,
  readonly Job[],
  readonly WorkflowRun[],
])[] = [
  ["a newer run of this head", "superseded", run(), [job()], [run(), newer]],
  [
    "a newer run of this head, and GitHub says so",
    "superseded",
    run(),
    [job({ says: "concurrency" })],
    [newer],
  ],
  [
    "a newer run that was made afterwards",
    "unknown",
    run(),
    [job()],
    [{ ...newer, createdAt: "2026-03-01T12:30:00Z" }],
  ],
  [
    "a newer run of another workflow",
    "unknown",
    run(),
    [job()],
    [{ ...newer, workflow: { id: 2, name: "Docs" } }],
  ],
  ["an older run", "unknown", newer, [job({ run: 101 })], [run(), newer]],
  [
    "the same group built again on the same base",
    "reenqueued",
    group,
    [job()],
    [{ ...newer, branch: queue, head: "c".repeat(40) }],
  ],
  [
    "another group on another base",
    "concurrency",
    group,
    [job({ says: "concurrency" })],
    [{ ...newer, branch: `${queue}ff`, head: "c".repeat(40) }],
  ],
  [
    "another run of its concurrency group",
    "concurrency",
    run(),
    [job({ says: "concurrency" })],
    [run()],
  ],
  [
    "its own time limit, beside jobs that were stopped with it",
    "time_limit",
    run(),
    [job({ name: "lint" }), job({ says: "time_limit" })],
    [newer],
  ],
  ["by hand", "by_hand", run(), [job({ says: "by_hand" })], [newer]],
  ["no runner took it, as GitHub says", "never_started", run(), [job({ says: "no_runner" })], []],
  ["no runner took it, as its job shows", "never_started", run(), [job({ started: false })], []],
  ["no jobs at all", "never_started", run(), [], []],
  ["nothing that is known", "unknown", run(), [job()], []],
];

it.each(table)("A16.5 %s: %s", (_title, cause, one, jobs, others) => {
  expect(cancelCause(one, jobs, others)).toBe(cause);
});

it("A16.5 every cause is told apart, and each has words of its own", () => {
  const causes = Object.keys(causeInWords);
  expect(new Set(table.map(([, cause]) => cause))).toEqual(new Set(causes));
  expect(new Set(Object.values(causeInWords)).size).toBe(causes.length);
});
