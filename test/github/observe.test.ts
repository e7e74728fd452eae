import { describe, expect, it } from "vitest";

import { faultOf } from "./faults.js";
import { type Behaviour, github } from "./fake-github.js";
import {
  entry,
  graphqlError,
  GROUP,
  HEAD,
  idOf,
  idsUpTo,
  nodesFor,
  pullRequest,
  rollup,
} from "./pull-requests.js";

/** Answers each page with these pull requests and errors. */
function answering(show: (number: number) => unknown, errors: readonly object[] = []): Behaviour {
  return ({ variables }) => ({
    body: { data: nodesFor(variables, show), ...(errors.length === 0 ? {} : { errors }) },
  });
}

async function observeOne(changes: Readonly<Record<string, unknown>>) {
  const { client } = await github(answering((number) => pullRequest(number, changes)));
  const { observations, unreadable } = await client.observe([idOf(7)]);
  return { observation: observations[0], unreadable };
}

describe("observing pull requests", () => {
  it("A15.1 reads 1,000 pull requests in 20 requests, each page in order", async () => {
    const { client, sent } = await github(answering((number) => pullRequest(number)));
    const batch = await client.observe(idsUpTo(1000));
    expect(sent).toHaveLength(20);
    expect(batch.requests).toBe(20);
    expect(batch.unreadable).toEqual([]);
    expect(batch.observations.map((one) => one.pullRequest)).toEqual(
      Array.from({ length: 1000 }, (_, at) => at + 1),
    );
    expect(sent.map(({ variables }) => (variables["ids"] as string[]).length)).toEqual(
      Array.from({ length: 20 }, () => 50),
    );
  });

  it("A15.1 sends nothing for no pull requests, and asks once for one named twice", async () => {
    const { client, sent } = await github(answering((number) => pullRequest(number)));
    expect(await client.observe([])).toEqual({ observations: [], unreadable: [], requests: 0 });
    expect(sent).toHaveLength(0);
    expect((await client.observe([idOf(1), idOf(1)])).observations).toHaveLength(1);
  });

  it("A4.1 gives every field as GitHub said it", async () => {
    const { observation } = await observeOne({
      mergeQueueEntry: entry(),
      isInMergeQueue: true,
      autoMergeRequest: { enabledAt: "2026-01-02T03:04:00Z" },
    });
    expect(observation).toEqual({
      pullRequest: 7,
      nodeId: "PR_7",
      url: "https://github.test/acme/app/pull/7",
      readAt: observation?.readAt,
      updatedAt: "2026-01-02T03:04:05Z",
      state: "OPEN",
      isDraft: false,
      head: HEAD,
      headBranch: "lane/7",
      headBranchExists: true,
      baseBranch: "main",
      baseBranchExists: true,
      mergeable: "MERGEABLE",
      mergeState: "CLEAN",
      autoMerge: { enabledAt: "2026-01-02T03:04:00Z" },
      queue: {
        read: "entry",
        entry: {
          state: "AWAITING_CHECKS",
          position: 1,
          enqueuedAt: "2026-01-02T03:04:06Z",
          estimatedTimeToMerge: 300,
          groupCommit: GROUP,
        },
      },
      queueEnabled: true,
      merge: null,
      closedAt: null,
      checks: {
        head: { passed: 0, failed: 0, running: 0 },
        group: { passed: 0, failed: 0, running: 0 },
      },
    });
  });

  it("A1.5 case A36 counts the checks of the head and of the group commit, whatever their state is called, and those that did not begin", async () => {
    const runs = { SUCCESS: 2, SKIPPED: 1, CANCELLED: 1, IN_PROGRESS: 1, SOMETHING_NEW: 1 };
    const statusCheckRollup = rollup(runs, { SUCCESS: 1, ERROR: 1, EXPECTED: 1 });
    const head = { passed: 4, failed: 2, running: 3, notStarted: 1 };
    const alone = await observeOne({ statusCheckRollup });
    expect(alone.observation?.checks).toEqual({ head, group: null });
    const headCommit = { oid: GROUP, statusCheckRollup: rollup({ QUEUED: 2, NEUTRAL: 1 }) };
    const queued = await observeOne({
      statusCheckRollup,
      isInMergeQueue: true,
      mergeQueueEntry: entry({ headCommit }),
    });
    expect(queued.observation?.checks).toEqual({
      head,
      group: { passed: 1, failed: 0, running: 2, notStarted: 2 },
    });
  });

  it("A4.7 checks that may not be read leave everything else readable, the membership too", async () => {
    const { client } = await github(
      answering(
        (number) => pullRequest(number, { isInMergeQueue: true, mergeQueueEntry: entry() }),
        [
          graphqlError("FORBIDDEN", "no checks", ["nodes", 0, "statusCheckRollup"]),
          graphqlError("FORBIDDEN", "no checks", [
            "nodes",
            1,
            "mergeQueueEntry",
            "headCommit",
            "statusCheckRollup",
          ]),
        ],
      ),
    );
    const { observations, unreadable } = await client.observe(idsUpTo(3));
    expect(unreadable).toEqual([]);
    expect(observations.map(({ queue }) => queue.read)).toEqual(["entry", "entry", "entry"]);
    expect(observations.map(({ checks }) => checks === undefined)).toEqual([true, true, false]);
  });

  it("A1.3 null merge-when-ready beside a live entry is told as it is, and so is its opposite", async () => {
    const queued = await observeOne({ mergeQueueEntry: entry(), isInMergeQueue: true });
    expect(queued.observation?.autoMerge).toBeNull();
    expect(queued.observation?.queue.read).toBe("entry");
    const armed = await observeOne({ autoMergeRequest: { enabledAt: null } });
    expect(armed.observation?.autoMerge).toEqual({ enabledAt: "2026-01-02T03:04:05Z" });
    expect(armed.observation?.queue).toEqual({ read: "none" });
  });

  it("A11.1 a merged pull request whose commit GitHub does not show yet has a merge without commit", async () => {
    const late = await observeOne({ state: "MERGED", mergedAt: "2026-01-02T03:05:00Z" });
    expect(late.observation?.merge).toEqual({ commit: null, mergedAt: "2026-01-02T03:05:00Z" });
    const whole = await observeOne({
      state: "MERGED",
      mergedAt: "2026-01-02T03:05:00Z",
      mergeCommit: { oid: GROUP },
      headRef: null,
    });
    expect(whole.observation?.merge).toEqual({ commit: GROUP, mergedAt: "2026-01-02T03:05:00Z" });
    expect(whole.observation?.headBranchExists).toBe(false);
    expect((await observeOne({ state: "CLOSED" })).observation?.merge).toBeNull();
  });

  describe("A16.1 the reports on the commit it merged as", () => {
    const mergedAt = "2026-01-02T03:05:00Z";
    const run = (completedAt: string | null) => ({ __typename: "CheckRun", completedAt });
    const status = (createdAt: string) => ({ __typename: "StatusContext", createdAt });
    const merged = (nodes: readonly object[]) => ({
      state: "MERGED",
      mergedAt,
      mergeCommit: { oid: GROUP, statusCheckRollup: { contexts: { nodes } } },
    });

    it.each([
      ["a run that ended before the merge is the group's", [run("2026-01-02T03:04:59Z")], true],
      ["one that ended in the second of the merge too", [run(mergedAt)], true],
      ["a status from before the merge too", [status("2026-01-02T03:04:00Z")], true],
      ["runs of the push to the branch are not", [run(null), run("2026-01-02T03:05:01Z")], false],
      ["nothing was reported", [], false],
    ])("%s", async (_title, nodes, groupRun) => {
      const { observation } = await observeOne(merged(nodes));
      expect(observation?.merge).toEqual({ commit: GROUP, mergedAt, groupRun });
    });

    it("no rollup is no run; one that cannot be read is not known", async () => {
      const none = await observeOne({
        state: "MERGED",
        mergedAt,
        mergeCommit: { oid: GROUP, statusCheckRollup: null },
      });
      expect(none.observation?.merge).toMatchObject({ groupRun: false });
      const path = ["nodes", 0, "mergeCommit", "statusCheckRollup"];
      const { client } = await github(
        answering(
          (number) => pullRequest(number, merged([run(mergedAt)])),
          [graphqlError("FORBIDDEN", "not for you", path)],
        ),
      );
      const { observations } = await client.observe([idOf(7)]);
      expect(observations[0]?.merge).toEqual({ commit: GROUP, mergedAt });
    });

    it("a full page does not ask for it", async () => {
      const { client, sent } = await github(answering((number) => pullRequest(number)));
      await client.observe(idsUpTo(51));
      const asked = sent.map(({ document }) => document.includes("completedAt"));
      expect(asked).toEqual([false, true]);
    });
  });

  it("case A12 case A13 UNKNOWN, BLOCKED and CONFLICTING pass through unchanged", async () => {
    for (const mergeable of ["UNKNOWN", "CONFLICTING", "MERGEABLE"]) {
      for (const mergeStateStatus of ["UNKNOWN", "BLOCKED", "DRAFT", "DIRTY"]) {
        const { observation } = await observeOne({ mergeable, mergeStateStatus });
        expect(observation).toMatchObject({ mergeable, mergeState: mergeStateStatus });
      }
    }
  });

  it("case A12 a value GitHub may add later is UNKNOWN, and an entry in such a state is unreadable", async () => {
    const { observation } = await observeOne({ mergeable: "SOON", mergeStateStatus: "QUEUED" });
    expect(observation).toMatchObject({ mergeable: "UNKNOWN", mergeState: "UNKNOWN" });
    const queued = await observeOne({ mergeQueueEntry: entry({ state: "PAUSED" }) });
    expect(queued.observation?.queue.read).toBe("unreadable");
  });
});

describe("partial answers", () => {
  it("A4.7 an error under mergeQueueEntry makes the membership unreadable, never none", async () => {
    const { client } = await github(
      answering(
        (number) => pullRequest(number),
        [graphqlError("FORBIDDEN", "no queue for you", ["nodes", 1, "mergeQueueEntry"])],
      ),
    );
    const { observations, unreadable } = await client.observe(idsUpTo(3));
    expect(unreadable).toEqual([]);
    expect(observations.map(({ queue }) => queue)).toEqual([
      { read: "none" },
      { read: "unreadable", why: "no queue for you" },
      { read: "none" },
    ]);
  });

  it("A4.7 queued without an entry to see is unreadable membership", async () => {
    const { observation } = await observeOne({ isInMergeQueue: true, mergeQueueEntry: null });
    expect(observation?.queue.read).toBe("unreadable");
  });

  it("case A38 a pull request that is gone is unreadable and holds up no other", async () => {
    const { client } = await github(
      answering((number) => (number === 2 ? null : pullRequest(number))),
    );
    const { observations, unreadable } = await client.observe(idsUpTo(3));
    expect(unreadable).toEqual([{ nodeId: idOf(2), why: "not found or no access" }]);
    expect(observations.map((one) => one.pullRequest)).toEqual([1, 3]);
  });

  it("A15.3 an error elsewhere under a node makes that node alone unreadable", async () => {
    const { client } = await github(
      answering(
        (number) => (number === 1 ? null : pullRequest(number)),
        [
          graphqlError("NOT_FOUND", "Could not resolve to a node", ["nodes", 0]),
          graphqlError("FORBIDDEN", "hidden", ["nodes", 2, "headRef"]),
        ],
      ),
    );
    const { observations, unreadable } = await client.observe(idsUpTo(3));
    expect(unreadable).toEqual([
      { nodeId: idOf(1), why: "Could not resolve to a node" },
      { nodeId: idOf(3), why: "hidden" },
    ]);
    expect(observations.map((one) => one.pullRequest)).toEqual([2]);
  });

  it("A15.3 an error that names no node fails the pass, though data came with it", async () => {
    const { client, sent } = await github(
      answering((number) => pullRequest(number), [graphqlError(null, "Something went wrong")]),
    );
    expect(await faultOf(client.observe(idsUpTo(50)))).toMatchObject({ kind: "unavailable" });
    expect(sent).toHaveLength(4);
  });

  it("another kind of node is unreadable, and so is a shape that is not understood", async () => {
    const { client } = await github(
      answering((number) =>
        number === 1 ? { __typename: "Issue" } : pullRequest(number, { headRefOid: "short" }),
      ),
    );
    const { unreadable } = await client.observe(idsUpTo(2));
    expect(unreadable[0]?.why).toBe("the node is a Issue, not a pull request");
    expect(unreadable[1]?.why).toContain("headRefOid");
  });
});

describe("pages that are too heavy", () => {
  it.each([502, 504])(
    "A15.3 halves a page on %i until the heavy one stands alone",
    async (status) => {
      const { client, sent } = await github(({ variables }) =>
        (variables["ids"] as string[]).includes(idOf(33))
          ? { status, body: "<html>Unicorn</html>" }
          : { body: { data: nodesFor(variables) } },
      );
      const { observations, unreadable, requests } = await client.observe(idsUpTo(100));
      expect(observations).toHaveLength(99);
      expect(unreadable.map(({ nodeId }) => nodeId)).toEqual([idOf(33)]);
      expect(sent).toHaveLength(requests);
      expect(requests).toBeLessThanOrEqual(14);
    },
  );

  it("A15.3 a page that times out is halved, too", async () => {
    const { client, sent } = await github(
      ({ variables }) =>
        (variables["ids"] as string[]).length > 25
          ? "silent"
          : { body: { data: nodesFor(variables) } },
      { timeoutMs: 150 },
    );
    expect((await client.observe(idsUpTo(50))).observations).toHaveLength(50);
    expect(sent.map(({ variables }) => (variables["ids"] as string[]).length)).toEqual([
      50, 25, 25,
    ]);
  });

  it("case A32 an outage ends the pass after four requests instead of a fan-out", async () => {
    const { client, sent } = await github(() => ({ status: 502, body: "<html></html>" }));
    const fault = await faultOf(client.observe(idsUpTo(1000)));
    expect(fault).toMatchObject({ kind: "unavailable" });
    expect(sent).toHaveLength(4);
  });

  it("case A32 a rate limit ends the pass at once", async () => {
    const { client, sent } = await github(({ variables }) =>
      (variables["ids"] as string[]).includes(idOf(51))
        ? { status: 429, headers: { "retry-after": "7" }, body: { message: "slow down" } }
        : { body: { data: nodesFor(variables) } },
    );
    const fault = await faultOf(client.observe(idsUpTo(1000)));
    expect(fault).toMatchObject({ kind: "rate_limited", retryAfterMs: 7000 });
    expect(sent).toHaveLength(2);
  });
});
