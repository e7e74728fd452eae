import { expect, it } from "vitest";

import * as queries from "../../../src/github/queries.js";
import { aSimulator, graphql, rest, type ASimulator } from "./a-simulator.js";

async function idOf(at: ASimulator): Promise<string> {
  const { body } = await graphql(
    at,
    `
      {
        repository(owner: "acme", name: "shop") {
          id
        }
      }
    `,
  );
  return (body.data as { repository: { id: string } }).repository.id;
}

const SHOP = { owner: "acme", name: "shop" };
const mergeQueue = {
  mergeMethod: "MERGE",
  groupingStrategy: "HEADGREEN",
  checkResponseTimeoutMinutes: 30,
  maxEntriesToBuild: 4,
  maxEntriesToMerge: 3,
  minEntriesToMerge: 2,
  minEntriesToMergeWaitMinutes: 1,
};
const content = {
  name: "gate",
  target: "BRANCH",
  enforcement: "ACTIVE",
  conditions: { refName: { include: ["refs/heads/main"], exclude: [] } },
  rules: [{ type: "MERGE_QUEUE", parameters: { mergeQueue } }],
};

it("S2 a ruleset is made and changed by mutations, and REST shows the same; its name is unique", async () => {
  const at = await aSimulator();
  const sourceId = await idOf(at);
  const create = () => graphql(at, queries.createRuleset, { input: { sourceId, ...content } });
  expect((await create()).body.errors).toBeUndefined();
  expect((await create()).body.errors).toMatchObject([{ type: "UNPROCESSABLE" }]);
  const { body } = await graphql(at, queries.rulesets, { ...SHOP, after: null });
  const listed = body.data as {
    repository: { rulesets: { nodes: { id: string; name: string }[] } };
  };
  const own = listed.repository.rulesets.nodes.find(({ name }) => name === "gate");
  const checks = {
    type: "REQUIRED_STATUS_CHECKS",
    parameters: {
      requiredStatusChecks: {
        strictRequiredStatusChecksPolicy: true,
        requiredStatusChecks: [{ context: "lint", integrationId: 7 }],
      },
    },
  };
  const update = (rules: readonly unknown[]) =>
    graphql(at, queries.updateRuleset, {
      input: { repositoryRulesetId: own?.id, name: "gate", rules },
    });
  expect((await update([checks])).body.errors).toBeUndefined();
  const rules = await rest(at, "GET", "/repos/acme/shop/rules/branches/main");
  expect((rules.body as { ruleset_id: number; type: string }[]).at(-1)).toMatchObject({
    type: "required_status_checks",
    parameters: {
      strict_required_status_checks_policy: true,
      required_status_checks: [{ context: "lint", integration_id: 7 }],
    },
  });
  const unknown = { type: "REQUIRED_SIGNATURES" };
  expect((await update([unknown])).body.errors).toMatchObject([{ type: "UNPROCESSABLE" }]);
});

it("S2 an App needs Administration: write for it", async () => {
  const at = await aSimulator();
  const app = await at.admin.createApp({ name: "Reader", permissions: { contents: "write" } });
  const { id } = await at.admin.installApp(app.id, { account: "acme" });
  const { token } = await at.admin.createInstallationToken(id);
  const input = { sourceId: await idOf(at), ...content };
  const denied = await graphql(at, queries.createRuleset, { input }, token);
  expect(denied.body.errors).toMatchObject([{ type: "FORBIDDEN" }]);
});
