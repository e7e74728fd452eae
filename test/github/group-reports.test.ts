import { expect, it } from "vitest";

import { neverReported } from "../../src/core/gate/reporting.js";
import { createGitHub } from "../../src/github/client.js";
import { Secret } from "../../src/config/secret.js";
import { aSimulator, queued, type ASimulator } from "../simulator/wire/a-simulator.js";
import { queue } from "../core/gate/declared.js";
import { github } from "./fake-github.js";

const acme = { owner: "acme", name: "shop" };
const required = {
  queue,
  required_checks: [
    { context: "ci", integration_id: null },
    { context: "lint", integration_id: null },
  ],
  strict: false,
};

function clientOf({ simulator, token }: ASimulator) {
  return createGitHub({
    apiUrl: simulator.apiUrl,
    credential: { kind: "token", token: new Secret(token) },
  });
}

it("A2.6 case B01 a check that reports on heads only is found out by the group that waited for it", async () => {
  const at = await aSimulator();
  await at.repository.setRuleset({
    name: "main",
    mergeQueue: {},
    requiredStatusChecks: {
      checks: [
        { context: "ci", integrationId: null },
        { context: "lint", integrationId: null },
      ],
    },
  });
  await at.repository.setWorkflows([
    {
      name: "CI",
      path: ".github/workflows/ci.yml",
      on: ["pull_request", "merge_group"],
      jobs: [{ name: "ci", outcome: "hold", duration: 0 }],
    },
    {
      name: "Lint",
      path: ".github/workflows/lint.yml",
      on: ["pull_request"],
      jobs: [{ name: "lint", outcome: "hold", duration: 0 }],
    },
  ]);
  await queued(at, "one");
  await at.repository.releaseJobs("pass");
  const client = clientOf(at);
  const under = await client.groupReports(acme, "main");
  expect(under).toMatchObject([{ leftAt: null, reported: [{ context: "ci" }] }]);
  expect(neverReported(required, under)).toEqual([]);

  await at.admin.advance(61 * 60_000);
  const left = await client.groupReports(acme, "main");
  expect(left).toHaveLength(1);
  expect(left[0]?.leftAt).not.toBeNull();
  expect(neverReported(required, left)).toEqual([{ context: "lint", integration_id: null }]);
});

it("A2.6 runs and statuses of groups in the queue and of those that left it come in one request", async () => {
  const commit = (nodes: readonly unknown[] | null) => ({
    committedDate: "2026-03-01T12:00:00Z",
    statusCheckRollup: nodes === null ? null : { contexts: { nodes } },
  });
  const run = { __typename: "CheckRun", name: "ci", checkSuite: { app: { databaseId: 15368 } } };
  const status = { __typename: "StatusContext", context: "gate" };
  const left = (beforeCommit: unknown) => ({
    timelineItems: { nodes: [{ createdAt: "2026-03-01T13:00:00Z", beforeCommit }] },
  });
  const { client, sent } = await github(() => ({
    body: {
      data: {
        repository: {
          mergeQueue: {
            entries: { nodes: [{ headCommit: null }, { headCommit: commit(null) }] },
          },
          pullRequests: {
            nodes: [left(commit([run, status])), left(null), { timelineItems: { nodes: [] } }],
          },
        },
      },
    },
  }));
  const builtAt = "2026-03-01T12:00:00Z";
  expect(await client.groupReports(acme, "main")).toEqual([
    { builtAt, leftAt: null, reported: [] },
    {
      builtAt,
      leftAt: "2026-03-01T13:00:00Z",
      reported: [
        { context: "ci", app: 15368 },
        { context: "gate", app: null },
      ],
    },
  ]);
  expect(sent).toHaveLength(1);
});
