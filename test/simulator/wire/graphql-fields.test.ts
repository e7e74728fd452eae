import { describe, expect, it } from "vitest";

import * as queries from "../../../src/github/queries.js";
import { nodeId } from "../../../src/simulator/world/node-ids.js";
import { aSimulator, graphql, openPullRequest, queued, type ASimulator } from "./a-simulator.js";

const SHOP = { owner: "acme", name: "shop" };

async function data(
  at: ASimulator,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const { body } = await graphql(at, query, variables);
  expect(body.errors).toBeUndefined();
  return body.data ?? {};
}

/** Fields of `repository(owner: "acme", name: "shop")`. */
async function inShop(at: ASimulator, fields: string): Promise<unknown> {
  const answer = await data(at, `{ repository(owner: "acme", name: "shop") { ${fields} } }`);
  return answer["repository"];
}

async function token(at: ASimulator, permissions: Record<string, "read" | "write">) {
  const app = await at.admin.createApp({
    name: `Gate for ${Object.keys(permissions).join(", ")}`,
    permissions,
  });
  const { id } = await at.admin.installApp(app.id, { account: "acme" });
  return (await at.admin.createInstallationToken(id)).token;
}

describe("a landing read through GraphQL", () => {
  it("S2 S4 every document of the adapter is answered, from open to merged", async () => {
    const at = await aSimulator();
    const facts = await data(at, queries.repositoryFacts, {
      ...SHOP,
      gate: "main",
      gateRef: "refs/heads/main",
    });
    expect(facts).toMatchObject({
      viewer: { login: "robin" },
      repository: {
        defaultBranchRef: { name: "main" },
        mergeQueue: { url: `${at.simulator.url}/acme/shop/queue/main` },
      },
    });
    const { number, nodeId, headSha } = await openPullRequest(at, "one");
    const gate = {
      gate: "main",
      gateRef: "refs/heads/main",
      gateDeclaration: "refs/heads/main:README.md",
    };
    expect(await data(at, queries.gateBranch, { ...SHOP, ...gate })).toMatchObject({
      repository: {
        declaration: { __typename: "Blob", isTruncated: false },
        gate: { rules: { nodes: [{ type: "MERGE_QUEUE" }, { type: "REQUIRED_STATUS_CHECKS" }] } },
      },
    });
    const target = { ...SHOP, headRef: "refs/heads/one", ...gate };
    const found = {
      id: nodeId,
      headRefOid: headSha,
      mergeable: "MERGEABLE",
      mergeQueueEntry: null,
    };
    expect(await data(at, queries.targetByBranch, { ...target, head: "one" })).toMatchObject({
      repository: { pullRequests: { nodes: [found] } },
    });
    expect(await data(at, queries.targetByNumber, { ...target, number })).toMatchObject({
      repository: { pullRequest: { ...found, mergeStateStatus: "BLOCKED" } },
    });

    const input = { pullRequestId: nodeId, expectedHeadOid: headSha };
    await data(at, queries.enableAutoMerge, { input });
    expect(await data(at, queries.observe, { ids: [nodeId] })).toMatchObject({
      nodes: [{ autoMergeRequest: { enabledAt: "2026-03-01T12:00:00Z" } }],
    });
    await data(at, queries.disableAutoMerge, { input: { pullRequestId: nodeId } });
    await at.repository.releaseJobs("pass");
    await data(at, queries.enqueue, { input });
    const [observed] = (await data(at, queries.observe, { ids: [nodeId] }))["nodes"] as {
      mergeQueueEntry: { headCommit: { oid: string } };
    }[];
    const counts = (state: string) => ({
      contexts: {
        checkRunCountsByState: [{ state, count: 1 }],
        statusContextCountsByState: [],
      },
    });
    expect(observed).toMatchObject({
      isInMergeQueue: true,
      statusCheckRollup: counts("SUCCESS"),
      mergeQueueEntry: {
        state: "AWAITING_CHECKS",
        position: 1,
        estimatedTimeToMerge: null,
        headCommit: { statusCheckRollup: counts("IN_PROGRESS") },
      },
    });
    expect(await data(at, queries.queueAhead, { ...SHOP, gate: "main", number })).toMatchObject({
      repository: {
        pullRequest: { files: { nodes: [{ path: "one.txt" }] } },
        mergeQueue: { entries: { nodes: [{ position: 1, pullRequest: { number } }] } },
      },
    });
    await data(at, queries.dequeue, { input: { id: nodeId } });
    const evidence = { ...SHOP, number, baseRef: "refs/heads/main", candidate: headSha };
    const group = observed?.mergeQueueEntry.headCommit.oid;
    expect(await data(at, queries.stopEvidence, evidence)).toMatchObject({
      repository: {
        ref: { compare: { status: "AHEAD" } },
        pullRequest: {
          statusCheckRollup: {
            contexts: { nodes: [{ name: "ci", conclusion: "SUCCESS", isRequired: true }] },
          },
          timelineItems: { nodes: [{ reason: "manual", beforeCommit: { oid: group } }] },
        },
      },
    });
    await at.admin.advance(1000);
    await data(at, queries.enqueue, { input });
    await at.repository.releaseJobs("pass");
    await at.admin.advance(5 * 60_000);
    expect(await data(at, queries.compare, evidence)).toMatchObject({
      repository: { ref: { compare: { status: "BEHIND" } } },
    });
    expect(await data(at, queries.observe, { ids: [nodeId] })).toMatchObject({
      nodes: [{ state: "MERGED", mergeCommit: { oid: expect.any(String) as string } }],
    });
  });

  it("S2 opens, edits, closes and reopens pull requests by mutation", async () => {
    const at = await aSimulator();
    await at.repository.commit({ branch: "one", files: { a: "1" }, message: "One" });
    const { nodeId: repositoryId } = await at.repository.get();
    const made = await data(at, queries.createPullRequest, {
      input: { repositoryId, headRefName: "one", baseRefName: "main", title: "One" },
    });
    expect(made).toMatchObject({
      createPullRequest: { pullRequest: { number: 1, state: "OPEN" } },
    });
    const { nodeId } = await at.repository.pullRequest(1);
    const call = (name: string, more = "") =>
      data(
        at,
        `mutation { ${name}(input: {pullRequestId: "${nodeId}"${more}}) { pullRequest { state title isDraft } } }`,
      );
    expect(await call("updatePullRequest", ', title: "Uno"')).toMatchObject({
      updatePullRequest: { pullRequest: { title: "Uno" } },
    });
    for (const [name, state] of [
      ["closePullRequest", { state: "CLOSED" }],
      ["reopenPullRequest", { state: "OPEN" }],
      ["convertPullRequestToDraft", { isDraft: true }],
      ["markPullRequestReadyForReview", { isDraft: false }],
    ] as const)
      expect(await call(name)).toMatchObject({ [name]: { pullRequest: state } });
    const merge = await graphql(
      at,
      `mutation { mergePullRequest(input: {pullRequestId: "${nodeId}"}) { actor { login } } }`,
    );
    expect(merge.body).toMatchObject({
      data: { mergePullRequest: null },
      errors: [
        {
          type: "UNPROCESSABLE",
          path: ["mergePullRequest"],
          message: "Changes must be made through the merge queue",
        },
      ],
    });
  });

  it("S2 a refusal is HTTP 200, with null, a type and a path (github-facts 1.3)", async () => {
    const at = await aSimulator();
    const { nodeId } = await openPullRequest(at, "one");
    const input = { pullRequestId: nodeId };
    const early = await graphql(at, queries.enqueue, { input });
    expect(early).toMatchObject({
      status: 200,
      body: {
        data: { enqueuePullRequest: null },
        errors: [{ type: "UNPROCESSABLE", path: ["enqueuePullRequest"] }],
      },
    });
    await at.repository.releaseJobs("pass");
    const late = await graphql(at, queries.enableAutoMerge, { input });
    expect(late.body.errors?.[0]?.message).toBe("Pull request Pull request is in clean status");
    const moved = await graphql(at, queries.enqueue, {
      input: { ...input, expectedHeadOid: "0".repeat(40) },
    });
    expect(moved.body.errors?.[0]?.type).toBe("UNPROCESSABLE");
    await data(at, queries.enqueue, { input });
  });

  it("S2 S7 an App's token needs its permissions, for reads and for writes", async () => {
    const at = await aSimulator();
    const { nodeId } = await queued(at, "one");
    const narrow = await token(at, { pull_requests: "write" });
    const input = { id: nodeId };
    const refused = await graphql(at, queries.dequeue, { input }, narrow);
    expect(refused.body.errors).toMatchObject([{ type: "FORBIDDEN" }]);
    const read = `{ repository(owner: "acme", name: "shop") { pullRequest(number: 1) { number statusCheckRollup { state } } } }`;
    const partial = await graphql(at, read, {}, narrow);
    expect(partial.body).toMatchObject({
      data: { repository: { pullRequest: { number: 1, statusCheckRollup: null } } },
      errors: [{ type: "FORBIDDEN" }],
    });
    await at.admin.updateApp((await at.admin.apps())[0]?.id ?? 0, {
      permissions: { pull_requests: "write", contents: "write", checks: "read", statuses: "read" },
    });
    const [installation] = await at.admin.installations();
    const wide = (await at.admin.createInstallationToken(installation?.id ?? 0)).token;
    expect((await graphql(at, read, {}, wide)).body.errors).toBeUndefined();
    expect((await graphql(at, queries.dequeue, { input }, wide)).body.errors).toBeUndefined();
  });

  it("S2 one id that is not there leaves the others readable (quirk 36)", async () => {
    const at = await aSimulator();
    const { nodeId } = await openPullRequest(at, "one");
    const { body } = await graphql(at, queries.observe, { ids: ["PR_nothing", nodeId] });
    expect(body).toMatchObject({
      data: { nodes: [null, { id: nodeId }] },
      errors: [{ type: "NOT_FOUND", path: ["nodes", 0] }],
    });
  });

  it("S2 a commit that is not there is NOT_FOUND, by node and by nodes; one that is there is answered", async () => {
    const at = await aSimulator();
    const { headSha } = await openPullRequest(at, "one");
    const shown = await inShop(at, `object(oid: "${headSha}") { id }`);
    const { id } = (shown as { object: { id: string } }).object;
    const repositoryId = (await at.repository.get()).id;
    const nowhere = nodeId("C", repositoryId, "0".repeat(40));
    const missing = { type: "NOT_FOUND", message: expect.stringContaining(nowhere) as string };
    expect((await graphql(at, `{ node(id: "${nowhere}") { id } }`)).body).toMatchObject({
      data: { node: null },
      errors: [{ ...missing, path: ["node"] }],
    });
    const both = await graphql(at, `{ nodes(ids: ["${id}", "${nowhere}"]) { id } }`);
    expect(both.body).toMatchObject({
      data: { nodes: [{ id }, null] },
      errors: [{ ...missing, path: ["nodes", 1] }],
    });
    expect(await data(at, `{ node(id: "${id}") { ... on Commit { oid } } }`)).toEqual({
      node: { oid: headSha },
    });
  });

  it("S2 S7 a node is read with the permission of its kind, whichever way it is named", async () => {
    const at = await aSimulator();
    const { nodeId: pullRequest, headSha } = await openPullRequest(at, "one");
    const { nodeId: repository } = await at.repository.get();
    const fields = `object(oid: "${headSha}") { id ... on Commit { checkSuites(first: 1) { nodes { id workflowRun { id } checkRuns(first: 1) { nodes { id } } } } } }`;
    const { object } = (await inShop(at, fields)) as {
      object: {
        id: string;
        checkSuites: {
          nodes: {
            id: string;
            workflowRun: { id: string };
            checkRuns: { nodes: { id: string }[] };
          }[];
        };
      };
    };
    const [suite] = object.checkSuites.nodes;
    const ids = {
      metadata: repository,
      pull_requests: pullRequest,
      contents: object.id,
      checks: suite?.id,
      actions: suite?.workflowRun.id,
    };
    const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }";
    for (const [permission, readable] of Object.entries(ids)) {
      const narrow = await token(at, { [permission]: "read" });
      const { body } = await graphql(at, query, { ids: Object.values(ids) }, narrow);
      const nodes = body.data?.["nodes"] as readonly unknown[];
      const seen = Object.values(ids).filter((_, place) => nodes[place] !== null);
      // The repository itself is seen with any installation.
      expect(seen).toEqual([...new Set([repository, readable])]);
      expect(new Set(body.errors?.map(({ type }) => type))).toEqual(new Set(["FORBIDDEN"]));
      const alone = await graphql(at, `{ node(id: "${readable}") { __typename } }`, {}, narrow);
      expect(alone.body.errors).toBeUndefined();
    }
  });

  it("S2 nodes takes 100 ids and refuses 101", async () => {
    const at = await aSimulator();
    const { nodeId: id } = await openPullRequest(at, "one");
    const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }";
    const ids = (count: number) => Array.from({ length: count }, () => id);
    expect((await data(at, query, { ids: ids(100) }))["nodes"]).toHaveLength(100);
    const { body } = await graphql(at, query, { ids: ids(101) });
    expect(body).toMatchObject({ data: null, errors: [{ type: "ARGUMENT_LIMIT" }] });
  });

  it("S4 UNKNOWN until somebody asks for mergeable, and then for a while (quirk 1)", async () => {
    const at = await aSimulator();
    await openPullRequest(at, "one");
    await at.repository.update({ options: { unknownReads: 1 } });
    const only = "pullRequest(number: 1) { mergeStateStatus }";
    const both = "pullRequest(number: 1) { mergeable mergeStateStatus }";
    const unknown = { pullRequest: { mergeStateStatus: "UNKNOWN" } };
    expect(await inShop(at, only)).toMatchObject(unknown);
    expect(await inShop(at, only)).toMatchObject(unknown);
    expect(await inShop(at, both)).toMatchObject({ pullRequest: { mergeable: "UNKNOWN" } });
    expect(await inShop(at, both)).toMatchObject({
      pullRequest: { mergeable: "MERGEABLE", mergeStateStatus: "BLOCKED" },
    });
  });

  it("S4 reads lag behind writes, the answer of a mutation does not (quirk 24)", async () => {
    const at = await aSimulator();
    const { nodeId } = await openPullRequest(at, "one");
    await at.repository.update({ options: { lagMs: 60_000 } });
    await at.admin.advance(120_000);
    const closed = await data(
      at,
      `mutation { closePullRequest(input: {pullRequestId: "${nodeId}"}) { pullRequest { state } } }`,
    );
    expect(closed).toMatchObject({ closePullRequest: { pullRequest: { state: "CLOSED" } } });
    expect(await inShop(at, "pullRequest(number: 1) { state }")).toMatchObject({
      pullRequest: { state: "OPEN" },
    });
    await at.admin.advance(60_000);
    expect(await inShop(at, "pullRequest(number: 1) { state }")).toMatchObject({
      pullRequest: { state: "CLOSED" },
    });
  });

  it("S4 superseded runs stay in the rollup and hold its state (quirk 16)", async () => {
    const at = await aSimulator();
    const { headSha } = await openPullRequest(at, "one");
    await at.repository.releaseJobs("fail");
    const [run] = await at.repository.runs({ headSha });
    await at.repository.rerun(run?.id ?? 0);
    await at.repository.releaseJobs("pass");
    const answer = await inShop(
      at,
      "pullRequest(number: 1) { statusCheckRollup { state contexts(first: 10) { totalCount checkRunCount checkRunCountsByState { state count } } } }",
    );
    expect(answer).toMatchObject({
      pullRequest: {
        statusCheckRollup: {
          state: "FAILURE",
          contexts: { totalCount: 2, checkRunCount: 2 },
        },
      },
    });
  });

  it("S2 rules, rulesets, refs, commits and files of the repository", async () => {
    const at = await aSimulator();
    await at.repository.setRuleset({
      name: "main",
      mergeQueue: { mergeMethod: "SQUASH" },
      requiredStatusChecks: { checks: [{ context: "ci", integrationId: 15368 }] },
      requiredApprovals: 1,
    });
    await queued(at, "zero").catch(() => undefined);
    const answer = await inShop(
      at,
      `ref(qualifiedName: "main") { name prefix
         rules(first: 10) { nodes { type parameters {
           ... on MergeQueueParameters { mergeMethod checkResponseTimeoutMinutes }
           ... on RequiredStatusChecksParameters { requiredStatusChecks { context integrationId } }
           ... on PullRequestParameters { requiredApprovingReviewCount } } } }
         target { ... on Commit { messageHeadline parents(first: 1) { totalCount } } } }
       refs(refPrefix: "refs/heads/", first: 10) { nodes { name } }
       rulesets(first: 5) { nodes { name enforcement conditions { refName { include } } } }
       object(expression: "main:README.md") { ... on Blob { text } }
       pullRequest(number: 1) { reviewDecision commits(first: 5) { nodes { commit { oid } } } }`,
    );
    expect(answer).toMatchObject({
      ref: {
        name: "main",
        prefix: "refs/heads/",
        rules: {
          nodes: [
            { type: "MERGE_QUEUE", parameters: { mergeMethod: "SQUASH" } },
            {
              type: "REQUIRED_STATUS_CHECKS",
              parameters: { requiredStatusChecks: [{ context: "ci", integrationId: 15368 }] },
            },
            { type: "PULL_REQUEST", parameters: { requiredApprovingReviewCount: 1 } },
          ],
        },
        target: { messageHeadline: "Initial commit", parents: { totalCount: 0 } },
      },
      refs: { nodes: [{ name: "main" }, { name: "zero" }] },
      rulesets: { nodes: [{ name: "main", enforcement: "ACTIVE" }] },
      object: { text: "hello\n" },
      pullRequest: { reviewDecision: "REVIEW_REQUIRED" },
    });
  });
});

describe("what a query may cost", () => {
  const pulls = (inner: string) =>
    `{ rateLimit { cost nodeCount } repository(owner: "acme", name: "shop") { pullRequests(first: 100) { nodes { ${inner} } } } }`;

  it("S2 nodes and points are counted by the documented formula", async () => {
    const at = await aSimulator();
    const { nodeId } = await openPullRequest(at, "one");
    // 1 + 100 lookups: one point. 100 + 100 × 50 nodes.
    expect(await data(at, pulls("files(first: 50) { totalCount }"))).toMatchObject({
      rateLimit: { cost: 1, nodeCount: 5100 },
    });
    // 1 + 100 + 100 × 50 lookups: 51 points, as in the public example.
    const deep = pulls(
      "commits(first: 50) { nodes { commit { parents(first: 1) { totalCount } } } }",
    );
    expect(await data(at, deep)).toMatchObject({ rateLimit: { cost: 51 } });
    const twenty = `query ($ids: [ID!]!) { rateLimit { cost nodeCount } nodes(ids: $ids) { ... on PullRequest {
      timelineItems(last: 10) { totalCount } files(first: 100) { totalCount }
      statusCheckRollup { contexts(first: 100) { totalCount } } } } }`;
    const ids = Array.from({ length: 20 }, () => nodeId);
    expect(await data(at, twenty, { ids })).toMatchObject({
      rateLimit: { cost: 1, nodeCount: 4220 },
    });
  });

  it("S2 a connection with first from a variable is held to the same bounds", async () => {
    const at = await aSimulator();
    const query = `query ($n: Int) { repository(owner: "acme", name: "shop") { pullRequests(first: $n) { totalCount } } }`;
    expect(await data(at, query, { n: 100 })).toBeTruthy();
    for (const [n, type] of [
      [101, "EXCESSIVE_PAGINATION"],
      [null, "MISSING_PAGINATION_BOUNDARIES"],
    ] as const)
      expect((await graphql(at, query, { n })).body.errors).toMatchObject([{ type }]);
  });

  it("S2 pages follow one another by cursor, from both ends", async () => {
    const at = await aSimulator();
    for (const name of ["a", "b", "c"]) await openPullRequest(at, name);
    const page = (args: string) =>
      inShop(
        at,
        `pullRequests(${args}) { nodes { number } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } }`,
      ) as Promise<{ pullRequests: { nodes: unknown; pageInfo: Record<string, string> } }>;
    const first = (await page("first: 2")).pullRequests;
    expect(first).toMatchObject({ nodes: [{ number: 1 }, { number: 2 }] });
    const next = (await page(`first: 2, after: "${first.pageInfo["endCursor"] ?? ""}"`))
      .pullRequests;
    expect(next).toMatchObject({ nodes: [{ number: 3 }], pageInfo: { hasNextPage: false } });
    const last = (await page("last: 1")).pullRequests;
    expect(last).toMatchObject({ nodes: [{ number: 3 }], pageInfo: { hasPreviousPage: true } });
  });

  it("S2 what is not simulated is an error of its own type, and unexpected in the log", async () => {
    const at = await aSimulator();
    at.expectsUnexpected = true;
    const { body } = await graphql(at, "{ viewer { login bio } }");
    expect(body).toMatchObject({
      data: { viewer: { login: "robin", bio: null } },
      errors: [{ type: "NOT_SIMULATED", path: ["viewer", "bio"] }],
    });
    expect(await at.admin.unexpected()).toMatchObject([
      { unexpected: "The field User.bio is not simulated" },
    ]);
  });
});
