import { type AddressInfo, createServer } from "node:net";

import { describe, expect, it } from "vitest";

import { createGitHub, type GitHubClient } from "../../src/github/client.js";
import { Secret } from "../../src/config/secret.js";
import { knownTexts, refusalMeaning } from "../../src/github/refusal-text.js";
import { faultOf } from "./faults.js";
import { type Behaviour, github } from "./fake-github.js";
import { graphqlError, HEAD, idOf, pullRequest } from "./pull-requests.js";

interface Write {
  readonly name: string;
  readonly field: string;
  readonly send: (client: GitHubClient) => Promise<unknown>;
  readonly input: object;
}

const opening = {
  repositoryNodeId: "R_1",
  headBranch: "lane/7",
  baseBranch: "main",
  title: "A title",
  body: "A body",
};

const writes: readonly Write[] = [
  {
    name: "enableAutoMerge",
    field: "enablePullRequestAutoMerge",
    send: (client) => client.enableAutoMerge({ nodeId: idOf(7), expectedHead: HEAD }),
    input: { pullRequestId: idOf(7), expectedHeadOid: HEAD },
  },
  {
    name: "disableAutoMerge",
    field: "disablePullRequestAutoMerge",
    send: (client) => client.disableAutoMerge({ nodeId: idOf(7) }),
    input: { pullRequestId: idOf(7) },
  },
  {
    name: "enqueue",
    field: "enqueuePullRequest",
    send: (client) => client.enqueue({ nodeId: idOf(7), expectedHead: HEAD }),
    input: { pullRequestId: idOf(7), expectedHeadOid: HEAD },
  },
  {
    name: "dequeue",
    field: "dequeuePullRequest",
    send: (client) => client.dequeue({ nodeId: idOf(7) }),
    input: { id: idOf(7) },
  },
  {
    name: "openPullRequest",
    field: "createPullRequest",
    send: (client) => client.openPullRequest(opening),
    input: {
      repositoryId: "R_1",
      headRefName: "lane/7",
      baseRefName: "main",
      title: "A title",
      body: "A body",
    },
  },
];

/** A port that was free a moment ago. */
async function portOfNobody(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function refusing(field: string, type: string | null, message: string): Behaviour {
  return () => ({
    body: { data: { [field]: null }, errors: [graphqlError(type, message, [field])] },
  });
}

describe.each(writes)("$name", ({ field, send, input }) => {
  it("case A10 is sent once, with the head it expects and no method", async () => {
    const payload = { __typename: "Payload", pullRequest: pullRequest(7) };
    const { client, sent } = await github(() => ({ body: { data: { [field]: payload } } }));
    await send(client);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.variables).toEqual({ input });
    expect(sent[0]?.headers).toMatchObject({ "x-github-api-version": "2022-11-28" });
    expect(sent[0]?.headers["user-agent"]).toMatch(/^yoke /);
  });

  it.each([500, 502, 503, 504])(
    "case A31 is sent once on %i and is then uncertain",
    async (status) => {
      const { client, sent } = await github(() => ({ status, body: { message: "oops" } }));
      expect(await faultOf(send(client))).toMatchObject({ kind: "uncertain" });
      expect(sent).toHaveLength(1);
    },
  );

  it.each(["cut", "broken"] as const)(
    "case A31 is sent once when its answer is %s, and is then uncertain",
    async (how) => {
      const { client, sent } = await github(() => how);
      expect(await faultOf(send(client))).toMatchObject({ kind: "uncertain" });
      expect(sent).toHaveLength(1);
    },
  );

  it("case A31 is sent once when no answer comes in time, and is then uncertain", async () => {
    const { client, sent } = await github(() => "silent", { timeoutMs: 150 });
    const fault = await faultOf(send(client));
    expect(fault).toMatchObject({ kind: "uncertain" });
    expect(fault.message).toContain("took too long");
    expect(sent).toHaveLength(1);
  });

  it("case A31 an answer without result or error is uncertain, and so is an error of no known type", async () => {
    const empty = await github(() => ({ body: { data: { [field]: null } } }));
    expect(await faultOf(send(empty.client))).toMatchObject({ kind: "uncertain" });
    const odd = await github(refusing(field, null, "Something went wrong"));
    expect(await faultOf(send(odd.client))).toMatchObject({ kind: "uncertain" });
  });

  it("A7.5 a refused right is no access, and nothing is uncertain", async () => {
    const { client } = await github(refusing(field, "FORBIDDEN", "Resource not accessible"));
    expect(await faultOf(send(client))).toMatchObject({ kind: "no_access", status: 403 });
    const gone = await github(refusing(field, "NOT_FOUND", "Could not resolve"));
    expect(await faultOf(send(gone.client))).toMatchObject({ kind: "no_access", status: 404 });
  });

  it("is not sent to where a redirect points", async () => {
    const { client, sent } = await github(() => ({
      status: 307,
      headers: { location: "/elsewhere" },
      body: {},
    }));
    expect(await faultOf(send(client))).toMatchObject({ kind: "unavailable" });
    expect(sent).toHaveLength(1);
  });
});

describe("what a write's failure means", () => {
  it("a connection that never came to be leaves nothing uncertain", async () => {
    const { client } = await github(() => "cut");
    expect(await faultOf(client.dequeue({ nodeId: idOf(7) }))).toMatchObject({ kind: "uncertain" });
    const nobody = createGitHub({
      apiUrl: `http://127.0.0.1:${await portOfNobody()}`,
      credential: { kind: "token", token: new Secret("t") },
    });
    const fault = await faultOf(nobody.dequeue({ nodeId: idOf(7) }));
    expect(fault).toMatchObject({ kind: "unavailable" });
    expect(fault.message).toContain("ECONNREFUSED");
  });

  it.each(knownTexts)('"$met" means $meaning', async ({ met, meaning }) => {
    const { client } = await github(refusing("enqueuePullRequest", "UNPROCESSABLE", met));
    const fault = await faultOf(client.enqueue({ nodeId: idOf(7), expectedHead: HEAD }));
    expect(fault).toMatchObject({ kind: "refused", type: "UNPROCESSABLE", meaning });
    expect(fault.message).toContain(met);
  });

  it("case A10 the messages of refused inputs have no meaning but that of a refusal", async () => {
    for (const text of [
      "Merge method is not valid for merge queue",
      "InputObject 'EnqueuePullRequestInput' doesn't accept argument 'mergeMethod'",
      "Pull request #7 is part of a stack and must be enqueued using the asynchronous merge REST API",
    ]) {
      expect(refusalMeaning(text)).toBe("unknown_refusal");
    }
    const { client } = await github(() => ({
      body: {
        errors: [{ message: "Field doesn't exist", extensions: { code: "undefinedField" } }],
      },
    }));
    expect(await faultOf(client.dequeue({ nodeId: idOf(7) }))).toMatchObject({
      kind: "refused",
      meaning: "unknown_refusal",
    });
  });

  it.each([
    {
      name: "enableAutoMerge" as const,
      field: "enablePullRequestAutoMerge",
      payload: { pullRequest: pullRequest(7) },
      within: ["pullRequest"],
    },
    {
      name: "enqueue" as const,
      field: "enqueuePullRequest",
      payload: { mergeQueueEntry: { pullRequest: pullRequest(7) } },
      within: ["mergeQueueEntry", "pullRequest"],
    },
  ])(
    "A1.3 $name gives the pull request its answer shows; what is not shown whole is null, and no failure",
    async ({ name, field, payload, within }) => {
      const ask = { nodeId: idOf(7), expectedHead: HEAD };
      const shown = await github(() => ({ body: { data: { [field]: payload } } }));
      expect(await shown.client[name](ask)).toMatchObject({ pullRequest: 7, head: HEAD });
      const partial = await github(() => ({
        body: {
          data: { [field]: payload },
          errors: [graphqlError("INTERNAL", "no", [field, ...within, "headRef"])],
        },
      }));
      expect(await partial.client[name](ask)).toBeNull();
      const hidden = await github(() => ({ body: { data: { [field]: {} } } }));
      expect(await hidden.client[name](ask)).toBeNull();
    },
  );

  it("opening gives the observation GitHub answered with; one it does not show is uncertain", async () => {
    const shown = await github(() => ({
      body: { data: { createPullRequest: { pullRequest: pullRequest(7) } } },
    }));
    expect((await shown.client.openPullRequest(opening)).pullRequest).toBe(7);
    const hidden = await github(() => ({
      body: {
        data: { createPullRequest: { pullRequest: null } },
        errors: [graphqlError("INTERNAL", "no", ["createPullRequest", "pullRequest"])],
      },
    }));
    expect(await faultOf(hidden.client.openPullRequest(opening))).toMatchObject({
      kind: "uncertain",
    });
  });
});
