import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";

import { aWorld, enqueued, finish, groupOf, openPullRequest, type Received } from "./a-world.js";

interface Description {
  readonly webhooks: Record<
    string,
    { post: { requestBody: { content: { "application/json": { schema: { $ref: string } } } } } }
  >;
}

/** Every event and action that one long story sends. */
const EXPECTED = [
  "check-run-completed",
  "check-run-created",
  "check-suite-completed",
  "merge-group-checks-requested",
  "merge-group-destroyed",
  "pull-request-auto-merge-disabled",
  "pull-request-auto-merge-enabled",
  "pull-request-closed",
  "pull-request-converted-to-draft",
  "pull-request-dequeued",
  "pull-request-edited",
  "pull-request-enqueued",
  "pull-request-opened",
  "pull-request-ready-for-review",
  "pull-request-reopened",
  "pull-request-synchronize",
  "push",
  "repository-ruleset-created",
  "repository-ruleset-deleted",
  "repository-ruleset-edited",
  "status",
  "workflow-job-completed",
  "workflow-job-in-progress",
  "workflow-job-queued",
  "workflow-run-completed",
  "workflow-run-in-progress",
  "workflow-run-requested",
];

let ajv: Ajv;
let description: Description;

beforeAll(() => {
  const require = createRequire(import.meta.url);
  const path = require
    .resolve("@octokit/openapi-webhooks/package.json")
    .replace("package.json", "generated/api.github.com.json");
  description = JSON.parse(readFileSync(path, "utf8")) as Description;
  ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  ajv.addSchema(description, "webhooks");
});

function schemaOf({ delivery }: Received): string {
  const action = delivery.action === null ? "" : `-${delivery.action}`;
  return `${delivery.event}${action}`.replaceAll("_", "-");
}

function validatorOf(name: string): ValidateFunction {
  const hook = description.webhooks[name];
  if (hook === undefined) throw new Error(`no public schema for ${name}`);
  const { $ref } = hook.post.requestBody.content["application/json"].schema;
  const validate = ajv.getSchema(`webhooks${$ref}`);
  if (validate === undefined) throw new Error(`no schema at ${$ref}`);
  return validate;
}

async function story(): Promise<Received[]> {
  const at = await aWorld();
  const { app } = await at.world.createApp({
    name: "Everything",
    events: [
      "merge_group",
      "pull_request",
      "push",
      "status",
      "check_run",
      "check_suite",
      "workflow_run",
      "workflow_job",
    ],
    permissions: {
      merge_queues: "read",
      pull_requests: "read",
      contents: "read",
      statuses: "read",
      checks: "read",
      actions: "read",
    },
    webhook: { url: "http://app/", secret: "s" },
  });
  await at.world.installApp(app.id, { account: "acme" });
  // Its own App: the schema of an App's events inside checks does not know this one.
  const rules = await at.world.createApp({
    name: "Rules",
    events: ["repository_ruleset"],
    permissions: { administration: "read" },
    webhook: { url: "http://rules/", secret: "s" },
  });
  await at.world.installApp(rules.app.id, { account: "acme" });
  const { world, repository, user } = at;

  const extra = await world.setRuleset(repository, { name: "extra" });
  await world.setRuleset(repository, { name: "extra", requiredApprovals: 0 });
  await world.deleteRuleset(repository, extra.id);
  const one = await openPullRequest(at, "one");
  await world.enableAutoMerge(repository, one.number, { actor: user });
  await world.disableAutoMerge(repository, one.number, user);
  await world.setDraft(repository, one.number, true, user);
  await world.setDraft(repository, one.number, false, user);
  await world.editPullRequest(repository, one.number, { title: "Better", body: "B", actor: user });
  await world.closePullRequest(repository, one.number, user);
  await world.reopenPullRequest(repository, one.number, user);
  await world.commitFiles(repository, { branch: "one", files: { "m.txt": "m" }, message: "More" });
  await world.createStatus(repository, {
    sha: one.headSha,
    context: "yoke",
    state: "success",
    creator: user,
  });
  await world.createCheckRun(repository, {
    name: "third party",
    headSha: one.headSha,
    appId: app.id,
    conclusion: "neutral",
  });
  await finish(at, one.headSha);
  await world.enqueue(repository, one.number, { actor: user });
  const two = await enqueued(at, "two");
  await finish(at, groupOf(at, two), "fail");
  await finish(at, groupOf(at, one));
  await world.deleteBranch(repository, "one", user);
  await world.idle();
  return at.received;
}

describe("payloads", () => {
  it("S3 S6 every webhook follows the public schema of its event and action", async () => {
    const received = await story();
    const wrong = new Map<string, unknown>();
    for (const one of received) {
      const validate = validatorOf(schemaOf(one));
      if (!validate(one.payload)) wrong.set(schemaOf(one), validate.errors?.slice(0, 6));
    }
    expect(Object.fromEntries(wrong)).toEqual({});
    expect([...new Set(received.map(schemaOf))].sort()).toEqual(EXPECTED);
  });

  it("S3 the check itself finds a payload that is wrong", async () => {
    const received = await story();
    const dequeued = received.find((one) => schemaOf(one) === "pull-request-dequeued");
    const validate = validatorOf("pull-request-dequeued");
    expect(validate({ ...dequeued?.payload, reason: "failed_checks" })).toBe(false);
    expect(validate({ ...dequeued?.payload, reason: "CI_FAILURE" })).toBe(true);
  });
});
