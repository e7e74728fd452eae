import { describe, expect, it } from "vitest";

import { graphqlUrl } from "../../src/github/transport.js";
import { faultOf } from "./faults.js";
import { github } from "./fake-github.js";
import { graphqlError, HEAD, pullRequest } from "./pull-requests.js";

const acme = { owner: "acme", name: "app" };
const asked = { branch: "lane/7", gateBranch: "release/1", pullRequest: null };

function target(changes: Readonly<Record<string, unknown>>) {
  return {
    id: "R_1",
    ref: { target: { oid: HEAD } },
    mergeQueue: { configuration: { mergeMethod: "MERGE" } },
    gate: null,
    declaration: null,
    ...changes,
  };
}

async function landingTarget(
  repository: unknown,
  errors: readonly object[] = [],
  pullRequest_: number | null = null,
) {
  const { client, sent } = await github(() => ({
    body: { data: { repository }, ...(errors.length === 0 ? {} : { errors }) },
  }));
  const call = client.landingTarget(acme, { ...asked, pullRequest: pullRequest_ });
  return { call, sent };
}

describe("where GraphQL is", () => {
  it.each([
    ["https://api.github.com", "https://api.github.com/graphql"],
    ["https://api.github.com/", "https://api.github.com/graphql"],
    ["https://ghe.test/api/v3", "https://ghe.test/api/graphql"],
    ["http://127.0.0.1:8080/api/v3/", "http://127.0.0.1:8080/api/graphql"],
    ["https://api.octo.ghe.com", "https://api.octo.ghe.com/graphql"],
  ])("%s has it at %s", (api, graphql) => {
    expect(graphqlUrl(api)).toBe(graphql);
  });
});

describe("the landing target", () => {
  it("A1.3 prefers the open pull request to newer ones that are not, in one request", async () => {
    const { call, sent } = await landingTarget(
      target({
        pullRequests: {
          nodes: [pullRequest(9, { state: "CLOSED" }), pullRequest(7), pullRequest(3)],
        },
      }),
    );
    expect(await call).toMatchObject({
      branchHead: HEAD,
      repositoryNodeId: "R_1",
      queueEnabled: true,
      queueMergeMethod: "MERGE",
      observation: { pullRequest: 7 },
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.variables).toEqual({
      ...acme,
      head: "lane/7",
      headRef: "refs/heads/lane/7",
      gate: "release/1",
      gateRef: "refs/heads/release/1",
      gateDeclaration: "refs/heads/release/1:.yoke/merge-queue.json",
    });
  });

  it("A1.3 without an open one it gives the newest, and none when there is none", async () => {
    const closed = await landingTarget(
      target({
        pullRequests: {
          nodes: [pullRequest(9, { state: "MERGED" }), pullRequest(7, { state: "CLOSED" })],
        },
      }),
    );
    expect((await closed.call).observation?.pullRequest).toBe(9);
    const none = await landingTarget(
      target({ ref: null, mergeQueue: null, pullRequests: { nodes: [] } }),
    );
    expect(await none.call).toEqual({
      branchHead: null,
      repositoryNodeId: "R_1",
      queueEnabled: false,
      queueMergeMethod: null,
      observation: null,
      gate: {
        head: null,
        declaration: { read: "absent" },
        live: { read: "unreadable", why: "GitHub shows no rules of the branch" },
      },
    });
  });

  it("A1.2 a fork's branch of the same name is not the lane's", async () => {
    const { call } = await landingTarget(
      target({ pullRequests: { nodes: [pullRequest(9, { isCrossRepository: true })] } }),
    );
    expect((await call).observation).toBeNull();
  });

  it("A1.3 a recorded pull request is read by its number", async () => {
    const { call, sent } = await landingTarget(target({ pullRequest: pullRequest(4) }), [], 4);
    expect((await call).observation?.pullRequest).toBe(4);
    expect(sent[0]?.variables).toMatchObject({ number: 4 });
  });

  it("A4.7 unreadable membership is told in the observation", async () => {
    const byBranch = await landingTarget(target({ pullRequests: { nodes: [pullRequest(7)] } }), [
      graphqlError("FORBIDDEN", "hidden", [
        "repository",
        "pullRequests",
        "nodes",
        0,
        "mergeQueueEntry",
      ]),
    ]);
    expect((await byBranch.call).observation?.queue).toEqual({ read: "unreadable", why: "hidden" });
    const byNumber = await landingTarget(
      target({ pullRequest: pullRequest(7) }),
      [
        graphqlError("FORBIDDEN", "hidden", [
          "repository",
          "pullRequest",
          "mergeQueueEntry",
          "headCommit",
        ]),
      ],
      7,
    );
    expect((await byNumber.call).observation?.queue.read).toBe("unreadable");
  });

  it("A12.2 an unreadable queue is told, and is not a missing one", async () => {
    const repository = target({ mergeQueue: null, pullRequests: { nodes: [] } });
    const { call } = await landingTarget(repository, [
      graphqlError("INTERNAL", "timed out", ["repository", "mergeQueue"]),
    ]);
    expect((await call).queueUnreadable).toBe("timed out");
    const missing = await landingTarget(repository);
    expect(await missing.call).not.toHaveProperty("queueUnreadable");
  });

  it("A15.3 any other gap fails the read", async () => {
    const { call } = await landingTarget(target({ ref: null, pullRequests: { nodes: [] } }), [
      graphqlError("INTERNAL", "timed out", ["repository", "ref"]),
    ]);
    const fault = await faultOf(call);
    expect(fault).toMatchObject({ kind: "unavailable" });
    expect(fault.message).toContain("repository.ref");
  });

  it("A5.10 a repository that is gone is no access", async () => {
    const { call } = await landingTarget(null, [
      graphqlError("NOT_FOUND", "Could not resolve to a Repository", ["repository"]),
    ]);
    expect(await faultOf(call)).toMatchObject({ kind: "no_access", status: 404 });
  });
});

describe("the facts of a repository", () => {
  it("are read in one request", async () => {
    const { client, sent } = await github(() => ({
      body: {
        data: {
          viewer: { login: "octo" },
          repository: {
            databaseId: 42,
            id: "R_1",
            autoMergeAllowed: true,
            defaultBranchRef: { name: "main" },
            ref: { target: { oid: HEAD } },
            mergeQueue: { url: "https://github.test/q", configuration: { mergeMethod: "REBASE" } },
          },
        },
      },
    }));
    expect(await client.repository(acme, "main")).toEqual({
      id: 42,
      nodeId: "R_1",
      defaultBranch: "main",
      autoMergeAllowed: true,
      gateBranchHead: HEAD,
      queue: { url: "https://github.test/q", mergeMethod: "REBASE" },
      viewer: "octo",
    });
    expect(sent).toHaveLength(1);
  });
});

describe("the comparison with a branch", () => {
  async function comparing(ref: unknown, errors: readonly object[] = []) {
    const { client } = await github(() => ({
      body: { data: { repository: { ref } }, ...(errors.length === 0 ? {} : { errors }) },
    }));
    return client.compareWithBranch(acme, { branch: "main", commit: HEAD });
  }

  it.each(["AHEAD", "BEHIND", "DIVERGED", "IDENTICAL"])("A12.3 says %s", async (status) => {
    expect(await comparing({ compare: { status } })).toBe(status);
  });

  it("A12.3 no comparison, or one of another word, is no answer", async () => {
    const unknown = await faultOf(comparing({ compare: { status: "SIDEWAYS" } }));
    expect(unknown).toMatchObject({ kind: "unavailable" });
    expect(await faultOf(comparing(null))).toMatchObject({ kind: "unavailable" });
    const error = graphqlError("NOT_FOUND", "no such head", ["repository", "ref", "compare"]);
    expect(await faultOf(comparing({ compare: null }, [error]))).toMatchObject({
      kind: "unavailable",
    });
  });
});

describe("the queue ahead", () => {
  const files = (...paths: readonly string[]) => ({ nodes: paths.map((path) => ({ path })) });
  const queued = (position: number, number: number, ...paths: readonly string[]) => ({
    position,
    pullRequest: { number, files: files(...paths) },
  });
  const page = (nodes: readonly object[], endCursor: string | null = null) => ({
    entries: { pageInfo: { hasNextPage: endCursor !== null, endCursor }, nodes },
  });
  const ask = { pullRequest: 7, baseBranch: "main", at: "2026-01-02T03:04:05.000Z" };

  it("A7.1 names the entries ahead and the files shared with them", async () => {
    const { client, sent } = await github(() => ({
      body: {
        data: {
          repository: {
            pullRequest: { mergeQueueEntry: { position: 3 }, files: files("a", "b", "c") },
            mergeQueue: page([
              queued(1, 4, "c", "x"),
              queued(2, 5, "b"),
              queued(3, 7, "a", "b", "c"),
              queued(4, 8, "a"),
            ]),
          },
        },
      },
    }));
    expect(await client.queueAhead(acme, ask)).toEqual({
      ahead: [4, 5],
      sharedFiles: ["b", "c"],
      seenAt: ask.at,
    });
    expect(sent).toHaveLength(1);
  });

  it("A7.2 without an entry of its own, the whole queue is ahead, over all its pages", async () => {
    const { client, sent } = await github(({ variables }) => ({
      body: {
        data: {
          repository: {
            pullRequest: { mergeQueueEntry: null, files: files("a") },
            mergeQueue:
              variables["after"] === null
                ? page([queued(1, 4, "x")], "next")
                : page([queued(2, 5, "a")]),
          },
        },
      },
    }));
    expect(await client.queueAhead(acme, ask)).toMatchObject({ ahead: [4, 5], sharedFiles: ["a"] });
    expect(sent.map(({ variables }) => variables["after"])).toEqual([null, "next"]);
  });

  it("A7.1 a branch without a queue has nothing ahead", async () => {
    const { client } = await github(() => ({
      body: {
        data: {
          repository: { pullRequest: { mergeQueueEntry: null, files: files() }, mergeQueue: null },
        },
      },
    }));
    expect(await client.queueAhead(acme, ask)).toBeNull();
  });

  it("A7.3 an unreadable listing fails and names the failed read", async () => {
    const { client } = await github(() => ({
      body: {
        data: {
          repository: {
            pullRequest: { mergeQueueEntry: { position: 2 }, files: files("a") },
            mergeQueue: page([{ position: 1, pullRequest: { number: 4, files: null } }]),
          },
        },
        errors: [
          graphqlError("INTERNAL", "timed out", [
            "repository",
            "mergeQueue",
            "entries",
            "nodes",
            0,
            "pullRequest",
            "files",
          ]),
        ],
      },
    }));
    const fault = await faultOf(client.queueAhead(acme, ask));
    expect(fault).toMatchObject({ kind: "unavailable" });
    expect(fault.message).toContain("mergeQueue.entries.nodes.0.pullRequest.files");
  });
});
