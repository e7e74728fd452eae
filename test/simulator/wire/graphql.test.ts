import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSimulator, type Simulator } from "../../../src/simulator/index.js";

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly type?: string;
    readonly path?: unknown;
  }[];
}

let simulator: Simulator;
let folder: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "simulated-graphql-"));
  simulator = await startSimulator({ dataDir: folder, clock: "stepped" });
  const { world } = simulator;
  const actor = await world.createUser("robin");
  token = await world.createPersonalToken("robin");
  const repository = await world.createRepository({
    owner: "acme",
    name: "shop",
    files: { a: "a\n" },
  });
  await world.setRuleset(repository, {
    name: "main",
    mergeQueue: {},
    requiredStatusChecks: { checks: [{ context: "ci", integrationId: null }] },
  });
  await world.commitFiles(repository, {
    branch: "tea",
    files: { tea: "tea\n" },
    message: "Tea",
    actor,
  });
  await world.createPullRequest(repository, { title: "Tea", head: "tea", base: "main", actor });
});

afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

async function ask(
  query: string,
  variables: object = {},
  bearer = token,
): Promise<{ status: number; answer: Answer }> {
  const response = await fetch(`${simulator.url}/api/graphql`, {
    method: "POST",
    headers: { authorization: `bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, answer: (await response.json()) as Answer };
}

const inShop = (selection: string) =>
  `{ repository(owner: "acme", name: "shop") { ${selection} } }`;

describe("GraphQL of the simulated GitHub", () => {
  it("S2 answers a query that the public schema allows", async () => {
    const { status, answer } = await ask(
      inShop(
        'pullRequest(number: 1) { number state headRefName isInMergeQueue } mergeQueue(branch: "main") { configuration { mergeMethod } }',
      ),
    );
    expect(status).toBe(200);
    expect(answer).toEqual({
      data: {
        repository: {
          pullRequest: { number: 1, state: "OPEN", headRefName: "tea", isInMergeQueue: false },
          mergeQueue: { configuration: { mergeMethod: "MERGE" } },
        },
      },
    });
  });

  it("S2 refuses a field that the public schema does not have", async () => {
    const { answer } = await ask(inShop("pullRequest(number: 1) { mergeGroup }"));
    expect(answer.errors?.[0]?.message).toMatch(/mergeGroup.*PullRequest/);
    expect(answer.data ?? null).toBeNull();
  });

  it("S2 refuses a connection without first or last, and one that is not from 1 to 100", async () => {
    const without = await ask(inShop("pullRequests { totalCount }"));
    expect(without.answer.errors?.length).toBeGreaterThan(0);
    const tooMany = await ask(inShop("pullRequests(first: 101) { totalCount }"));
    expect(tooMany.answer.errors?.length).toBeGreaterThan(0);
    for (const bound of ["first: 0", "last: 0"]) {
      const none = await ask(inShop(`pullRequests(${bound}) { totalCount }`));
      expect(none.answer.errors).toMatchObject([{ type: "INVALID_PAGINATION_BOUNDARIES" }]);
    }
    const one = await ask(inShop("pullRequests(first: 1) { totalCount }"));
    expect(one.answer.errors).toBeUndefined();
    const right = await ask(inShop("pullRequests(first: 100) { totalCount }"));
    expect(right.answer).toEqual({ data: { repository: { pullRequests: { totalCount: 1 } } } });
  });

  it("S2 answers an error for a field it does not implement, never a value", async () => {
    const { answer } = await ask(inShop("stargazerCount"));
    expect(answer.errors?.length).toBeGreaterThan(0);
    expect(answer.data?.["repository"] ?? null).toBeNull();
  });

  it("S2 counts points, and refuses more than 500,000 nodes", async () => {
    const { answer } = await ask("{ rateLimit { cost limit remaining } }");
    expect(answer.data?.["rateLimit"]).toMatchObject({ cost: 1 });
    const huge = await ask(
      inShop(
        "pullRequests(first: 100) { nodes { files(first: 100) { totalCount } timelineItems(first: 100) { nodes { __typename } } commits(first: 100) { nodes { commit { statusCheckRollup { contexts(first: 100) { totalCount } } } } } } }",
      ),
    );
    expect(huge.answer.errors?.[0]?.message).toMatch(/500,?000/);
  });

  it("case A10 refuses the inputs that GitHub refuses, before anything happens", async () => {
    const method = await ask(
      'mutation { enqueuePullRequest(input: { pullRequestId: "x", mergeMethod: MERGE }) { clientMutationId } }',
    );
    expect(method.answer.errors?.[0]?.message).toMatch(/mergeMethod/);
    const id = await ask(
      'mutation { dequeuePullRequest(input: { pullRequestId: "x" }) { clientMutationId } }',
    );
    expect(id.answer.errors?.length).toBeGreaterThan(0);
  });

  it("S7 answers 401 to a token it does not know", async () => {
    const { status } = await ask("{ viewer { login } }", {}, "not-a-token");
    expect(status).toBe(401);
  });
});
