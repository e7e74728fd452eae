import { describe, expect, it } from "vitest";

import { faultOf } from "./faults.js";
import { github } from "./fake-github.js";
import { graphqlError, HEAD } from "./pull-requests.js";

const acme = { owner: "acme", name: "app" };
const ruleset = {
  id: "RRS_1",
  name: "main",
  source: { __typename: "Repository", nameWithOwner: "acme/app" },
};
const queueRule = {
  type: "MERGE_QUEUE",
  repositoryRuleset: ruleset,
  parameters: {
    __typename: "MergeQueueParameters",
    mergeMethod: "MERGE",
    groupingStrategy: "HEADGREEN",
    checkResponseTimeoutMinutes: 30,
    maxEntriesToBuild: 4,
    maxEntriesToMerge: 3,
    minEntriesToMerge: 2,
    minEntriesToMergeWaitMinutes: 1,
  },
};
const checkRule = {
  type: "REQUIRED_STATUS_CHECKS",
  repositoryRuleset: {
    ...ruleset,
    id: "RRS_2",
    name: "org",
    source: { __typename: "Organization", login: "acme" },
  },
  parameters: {
    __typename: "RequiredStatusChecksParameters",
    strictRequiredStatusChecksPolicy: true,
    requiredStatusChecks: [
      { context: "ci", integrationId: 15368 },
      { context: "lint", integrationId: null },
    ],
  },
};
const otherRule = {
  type: "PULL_REQUEST",
  repositoryRuleset: ruleset,
  parameters: { __typename: "PullRequestParameters" },
};

function gateOf(rules: readonly unknown[] | null, hasNextPage = false) {
  return {
    target: { oid: HEAD },
    rules: rules === null ? null : { pageInfo: { hasNextPage }, nodes: rules },
  };
}

async function read(changes: Readonly<Record<string, unknown>>, errors: readonly object[] = []) {
  const { client, sent } = await github(() => ({
    body: {
      data: {
        repository: {
          id: "R_1",
          autoMergeAllowed: true,
          mergeQueue: { id: "MQ_1" },
          gate: gateOf([queueRule, checkRule, otherRule]),
          declaration: { __typename: "Blob", text: "{}", isTruncated: false },
          ...changes,
        },
      },
      ...(errors.length === 0 ? {} : { errors }),
    },
  }));
  return { call: client.gateBranch(acme, "release/1"), sent };
}

describe("the gate branch", () => {
  it("A2.2 its declaration and the rules of every ruleset come in one request", async () => {
    const { call, sent } = await read({});
    expect(await call).toEqual({
      repositoryNodeId: "R_1",
      autoMergeAllowed: true,
      queueEnabled: true,
      head: HEAD,
      declaration: { read: "text", text: "{}" },
      live: {
        read: "rules",
        rulesets: [
          {
            ruleset: { nodeId: "RRS_1", name: "main", source: "acme/app" },
            queue: {
              merge_method: "MERGE",
              grouping_strategy: "HEADGREEN",
              check_response_timeout_minutes: 30,
              max_entries_to_build: 4,
              max_entries_to_merge: 3,
              min_entries_to_merge: 2,
              min_entries_to_merge_wait_minutes: 1,
            },
            required_checks: [],
            strict: false,
          },
          {
            ruleset: { nodeId: "RRS_2", name: "org", source: "acme" },
            queue: null,
            required_checks: [
              { context: "ci", integration_id: 15368 },
              { context: "lint", integration_id: null },
            ],
            strict: true,
          },
        ],
      },
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.variables).toEqual({
      ...acme,
      gate: "release/1",
      gateRef: "refs/heads/release/1",
      gateDeclaration: "refs/heads/release/1:.yoke/merge-queue.json",
    });
  });

  it.each([
    ["no file", null, { read: "absent" }],
    ["a folder", { __typename: "Tree" }, { read: "unreadable" }],
    ["a binary", { __typename: "Blob", text: null, isTruncated: false }, { read: "unreadable" }],
    ["a cut file", { __typename: "Blob", text: "{", isTruncated: true }, { read: "unreadable" }],
  ])("A2.3 a declaration that is %s is told apart", async (_name, declaration, expected) => {
    const { call } = await read({ declaration });
    expect((await call).declaration).toMatchObject(expected);
  });

  it("A2.3 rules that are hidden, cut or not understood are unreadable, never fewer", async () => {
    const shown = async (...of: Parameters<typeof read>) => {
      const { call } = await read(...of);
      return (await call).live;
    };
    const denied = graphqlError("FORBIDDEN", "Resource not accessible", [
      "repository",
      "gate",
      "rules",
    ]);
    expect(await shown({ gate: gateOf(null) }, [denied])).toEqual({
      read: "unreadable",
      why: "Resource not accessible",
    });
    expect(await shown({ gate: gateOf([queueRule], true) })).toMatchObject({ read: "unreadable" });
    const newer = { ...queueRule, parameters: { ...queueRule.parameters, mergeMethod: "OCTOPUS" } };
    expect(await shown({ gate: gateOf([newer]) })).toMatchObject({ read: "unreadable" });
    expect(
      await shown({ gate: gateOf([{ ...queueRule, repositoryRuleset: null }]) }),
    ).toMatchObject({
      read: "unreadable",
    });
  });

  it("A2.3 a queue that no ruleset sets is one of classic protection, which is not read", async () => {
    const classic = await read({ gate: gateOf([checkRule]) });
    const { live } = await classic.call;
    expect(live).toMatchObject({ read: "unreadable" });
    expect(live.read === "unreadable" ? live.why : "").toContain("classic branch protection");
    const without = await read({ gate: gateOf([checkRule]), mergeQueue: null });
    expect((await without.call).live.read).toBe("rules");
  });

  it("A2.3 a repository that cannot be seen raises", async () => {
    const { call } = await read({}, [graphqlError("NOT_FOUND", "gone", ["repository"])]);
    expect(await faultOf(call)).toMatchObject({ kind: "no_access", status: 404 });
  });
});
