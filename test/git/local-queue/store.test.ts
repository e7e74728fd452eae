import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { foldCandidates } from "../../../src/core/local-queue/candidates/fold.js";
import type { CandidateEvent } from "../../../src/core/local-queue/candidates/fragment.js";
import { CandidateStore } from "../../../src/git/local-queue/store.js";
import { temporaryFolder } from "../repositories.js";

const noon = "2026-01-01T12:00:00.000Z";
const morning = "2026-01-01T08:00:00.000Z";

const enqueued = (branch: string): CandidateEvent => ({
  type: "enqueued",
  branch,
  head: "a".repeat(40),
  base: "main",
  worktree: null,
  actor: "ada",
});
const withdrawn: CandidateEvent = { type: "withdrawn", actor: "ada", why: "not now" };

describe("the candidate store", () => {
  it("C3.1 has every record of any number of writers, each in a file of its own", async () => {
    const folder = join(temporaryFolder(), "fragments");
    expect(new CandidateStore(folder, () => noon).read()).toEqual([]);
    const writers = Array.from({ length: 16 }, () => new CandidateStore(folder, () => noon));
    await Promise.all(
      writers.flatMap((writer, at) =>
        [1, 2, 3].map((turn) => writer.append(`${at}-${turn}`, enqueued(`lane/${at}`))),
      ),
    );
    const read = new CandidateStore(folder, () => noon).read();
    expect(new Set(read.map(({ candidate }) => candidate)).size).toBe(48);
    expect(readdirSync(folder)).toHaveLength(48);
  });

  it("C3.1 a record that was not finished is none, and what is no record is said to be so", async () => {
    const folder = temporaryFolder();
    const store = new CandidateStore(folder, () => noon);
    await store.append("one", enqueued("lane/a"));
    writeFileSync(join(folder, "half.new"), '{"schema":"yoke.merge-q');
    expect(store.read()).toHaveLength(1);
    writeFileSync(join(folder, "note.json"), '{"hello":1}');
    expect(() => store.read()).toThrow("note.json is not a record of the merge queue");
  });

  it("C3.2 a host whose clock is behind does not undo what it has read", async () => {
    const folder = temporaryFolder();
    await new CandidateStore(folder, () => noon).append("one", enqueued("lane/a"));
    const behind = new CandidateStore(folder, () => morning);
    behind.read();
    const { recordedAt } = await behind.append("one", withdrawn);
    expect(recordedAt > noon).toBe(true);
    expect(foldCandidates(behind.read())).toMatchObject([{ state: "withdrawn" }]);
  });
});
