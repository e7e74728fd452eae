import { describe, expect, it } from "vitest";
import type { GitHubFault } from "../../src/core/github-fault.js";
import type { QueueEntry } from "../../src/core/landing/model.js";
import { lost } from "./scripted-github.js";
import { stage, type Stage } from "./stage.js";

const forbidden: GitHubFault = {
  kind: "no_access",
  status: 403,
  message: "FORBIDDEN at repository.mergeQueue.entries: Resource not accessible by integration",
};
const entry: QueueEntry = {
  state: "UNMERGEABLE",
  position: 2,
  enqueuedAt: "2026-01-01T00:00:10Z",
  estimatedTimeToMerge: null,
  groupCommit: null,
};

async function conflicting(): Promise<Stage> {
  const on = await stage();
  await on.merge();
  on.github.change({ autoMerge: null, queue: { read: "entry", entry } });
  return on;
}

async function reaches(on: Stage, phase: string): Promise<void> {
  await on.upkeep();
  await expect.poll(() => on.phase(), { timeout: 20_000 }).toBe(phase);
}

const ahead = (numbers: readonly number[]) => ({
  ahead: numbers,
  sharedFiles: ["tea.txt"],
  seenAt: "2026-01-01T00:00:20Z",
});

const receipts = async (on: Stage) =>
  JSON.stringify(
    await on.ask("items.section.get", { item: on.item, section: "Queue re-entry receipts" }),
  );

describe("what automatic re-entry needs of GitHub", () => {
  it("A7.3 A7.5 an unreadable listing queues nothing, and the record names the failed read and the rights to restore", async () => {
    const on = await conflicting();
    on.github.fail("queueAhead", "before", forbidden);
    await on.upkeep();
    const explained = async () =>
      JSON.stringify(await on.ask("items.detail.get", { item: on.item }));
    await expect.poll(explained, { timeout: 20_000 }).toContain("repository.mergeQueue.entries");
    const told = await explained();
    expect(told).toContain("the entries ahead and their files could not be read");
    expect(told).toContain("Contents: write and Pull requests: write");
    expect(on.github.count("enqueue") + on.github.count("dequeue")).toBe(0);
    expect(on.github.count("enableAutoMerge")).toBe(1);
    expect(await on.phase()).toBe("pending");
    // Its twin: the same reading that succeeds is a snapshot.
    on.github.queue = ahead([5]);
    on.github.change({});
    await reaches(on, "waiting_reentry");
  });

  it("A7.5 A7.4 a refused re-entry stops with the rights to restore, and leaves no receipt", async () => {
    const on = await conflicting();
    on.github.queue = ahead([5]);
    await reaches(on, "waiting_reentry");
    on.github.queue = ahead([]);
    const message = "Resource not accessible by integration";
    on.github.fail("enableAutoMerge", "before", { kind: "no_access", status: 403, message });
    on.github.change({});
    await reaches(on, "stopped");
    const explained = async () => JSON.stringify(await on.ask("explain.item", { item: on.item }));
    await expect.poll(explained).toContain("Contents: write and Pull requests: write");
    expect(await explained()).toContain(`GitHub refused to queue it again: ${message}`);
    expect(await on.notices()).toMatchObject({
      notices: [
        { kind: "queue_conflict" },
        { kind: "stopped", reason: "queue_conflict_unresolved" },
      ],
    });
    expect(await receipts(on)).not.toContain("accepted at");
    expect(await on.merge()).toMatchObject({ ok: true, exit: 9 });
  });

  it("A7.4 a re-entry whose reply was lost is sent once, and has its receipt once a reading shows it", async () => {
    const on = await conflicting();
    on.github.queue = ahead([5]);
    await reaches(on, "waiting_reentry");
    on.github.queue = ahead([]);
    on.github.fail("enableAutoMerge", "after", lost);
    on.github.change({});
    await reaches(on, "pending");
    expect(on.github.count("enableAutoMerge")).toBe(2);
    expect(on.github.pullRequest?.autoMerge).not.toBeNull();
    expect(await receipts(on)).toContain("accepted at");
  });

  it("A7.2 A7.4 a re-entry that was lost before its effect is sent again after readings found nothing", async () => {
    const on = await conflicting();
    on.github.queue = ahead([5]);
    await reaches(on, "waiting_reentry");
    on.github.queue = ahead([]);
    on.github.fail("enableAutoMerge", "before", lost);
    on.github.change({});
    await reaches(on, "pending");
    expect(on.github.count("enableAutoMerge")).toBe(3);
    expect(await on.notices()).toMatchObject({ notices: [{ kind: "queue_conflict" }] });
    expect(await receipts(on)).toContain("accepted at");
  });
});
