import { describe, expect, it } from "vitest";

import { REST_ROUTES } from "../../../src/simulator/wire/rest/routes.js";
import { routeName, Router } from "../../../src/simulator/wire/http/router.js";
import {
  aSimulator,
  openPullRequest,
  queued,
  rest,
  type Answered,
  type ASimulator,
} from "./a-simulator.js";
import { jwtOf } from "./app-jwt.js";
import { problemsOf } from "./openapi.js";

const router = new Router(REST_ROUTES);
const covered = new Set<string>();

/** Sends a request and holds its answer to the public description. */
async function checked(
  at: ASimulator,
  method: string,
  path: string,
  ask: Parameters<typeof rest>[3] = {},
): Promise<Answered> {
  const answer = await rest(at, method, path, ask);
  const match = router.match(method, path.split("?")[0] ?? "");
  const route = match === null ? "none" : routeName(match.route);
  const body = answer.text === "" ? null : answer.body;
  expect([route, answer.status, problemsOf(route, answer.status, body)]).toEqual([
    route,
    answer.status,
    [],
  ]);
  covered.add(route);
  return answer;
}

const REPO = "/repos/acme/shop";

async function appToken(at: ASimulator) {
  const app = await at.admin.createApp({
    name: "Gate",
    events: ["pull_request"],
    permissions: {
      checks: "write",
      statuses: "write",
      contents: "write",
      pull_requests: "write",
      actions: "write",
      administration: "write",
      repository_hooks: "write",
    },
  });
  const installation = await at.admin.installApp(app.id, { account: "acme" });
  const { token } = await at.admin.createInstallationToken(installation.id);
  return { app, installation, token, jwt: jwtOf(app.id, app.privateKey) };
}

describe("answers against the public description", () => {
  it("S3 repositories, branches, refs, commits and comparisons", async () => {
    const at = await aSimulator();
    const { headSha } = await openPullRequest(at, "feature/one");
    await checked(at, "GET", REPO);
    await checked(at, "GET", `${REPO}/branches`);
    const branch = await checked(at, "GET", `${REPO}/branches/feature/one`);
    expect(branch.body).toMatchObject({ commit: { sha: headSha }, protected: false });
    const ref = await checked(at, "GET", `${REPO}/git/ref/heads/feature/one`);
    expect(ref.body).toMatchObject({ ref: "refs/heads/feature/one", object: { sha: headSha } });
    const matching = await checked(at, "GET", `${REPO}/git/matching-refs/heads/feat`);
    expect(matching.body).toHaveLength(1);
    await checked(at, "GET", `${REPO}/commits`);
    const commit = await checked(at, "GET", `${REPO}/commits/feature/one`);
    expect(commit.body).toMatchObject({ sha: headSha, files: [{ filename: "feature/one.txt" }] });
    await checked(at, "GET", `${REPO}/commits/${headSha}/pulls`);
    const comparison = await checked(at, "GET", `${REPO}/compare/main...feature/one`);
    expect(comparison.body).toMatchObject({ status: "ahead", ahead_by: 1, behind_by: 0 });
    const back = await checked(at, "GET", `${REPO}/compare/feature/one...main`);
    expect(back.body).toMatchObject({ status: "behind", ahead_by: 0, behind_by: 1 });
    expect((await rest(at, "GET", `${REPO}/git/ref/heads/none`)).status).toBe(404);
    expect((await rest(at, "GET", `${REPO}/compare/main...none`)).status).toBe(404);

    const made = await checked(at, "POST", `${REPO}/git/refs`, {
      body: { ref: "refs/heads/made", sha: headSha },
    });
    expect(made.status).toBe(201);
    const old = (await at.repository.branches()).find(({ name }) => name === "main")?.sha ?? "";
    const backwards = await rest(at, "PATCH", `${REPO}/git/refs/heads/made`, {
      body: { sha: old },
    });
    expect(backwards.body).toMatchObject({ message: "Update is not a fast forward" });
    await checked(at, "PATCH", `${REPO}/git/refs/heads/made`, { body: { sha: old, force: true } });
    await checked(at, "DELETE", `${REPO}/git/refs/heads/made`);
  });

  it("S3 pull requests: list, open, edit, files, and both refusals of a direct merge (quirk 31)", async () => {
    const at = await aSimulator();
    await at.repository.commit({ branch: "two", files: { "two.txt": "2\n" }, message: "two" });
    const input = { title: "Two", head: "two", base: "main" };
    const made = await checked(at, "POST", `${REPO}/pulls`, { body: input });
    expect(made.body).toMatchObject({ number: 1, mergeable: true, mergeable_state: "blocked" });
    const twin = await rest(at, "POST", `${REPO}/pulls`, { body: input });
    expect(twin.status).toBe(422);
    expect(twin.body).toMatchObject({
      message: "Validation Failed",
      errors: [{ message: "A pull request already exists for acme:two." }],
    });
    await checked(at, "GET", `${REPO}/pulls?head=acme:two&base=main`);
    const one = await checked(at, "GET", `${REPO}/pulls/1`);
    expect(Object.keys(one.body as object)).not.toContain("merge_queue_entry");
    const files = await checked(at, "GET", `${REPO}/pulls/1/files`);
    expect(files.body).toMatchObject([{ filename: "two.txt", status: "added", additions: 1 }]);
    await checked(at, "GET", `${REPO}/pulls/1/commits`);
    await checked(at, "PATCH", `${REPO}/pulls/1`, { body: { title: "New title" } });
    const direct = await checked(at, "PUT", `${REPO}/pulls/1/merge`, { body: {} });
    expect(direct).toMatchObject({
      status: 405,
      body: { message: "Changes must be made through the merge queue" },
    });
    await at.repository.releaseJobs("pass");
    await at.repository.enqueue(1, { actor: "robin" });
    const entered = await checked(at, "PUT", `${REPO}/pulls/1/merge`, { body: {} });
    expect(entered.body).toMatchObject({ message: "Pull Request is in the merge queue" });
    expect((await rest(at, "GET", `${REPO}/pulls/1/merge`)).status).toBe(404);
    await at.repository.releaseJobs("pass");
    await at.admin.advance(5 * 60_000);
    await checked(at, "GET", `${REPO}/pulls/1/merge`);
    await checked(at, "GET", `${REPO}/pulls/1`);
    expect((await rest(at, "GET", `${REPO}/pulls/9`)).status).toBe(404);
  });

  it("S3 a direct merge where there is no queue, and update-branch", async () => {
    const at = await aSimulator();
    await at.repository.setRuleset({ name: "main", mergeQueue: null });
    const { headSha } = await openPullRequest(at, "one");
    await openPullRequest(at, "two");
    const wrong = await checked(at, "PUT", `${REPO}/pulls/1/merge`, {
      body: { sha: "0".repeat(40) },
    });
    expect(wrong.status).toBe(409);
    const merged = await checked(at, "PUT", `${REPO}/pulls/1/merge`, { body: { sha: headSha } });
    expect(merged.body).toMatchObject({ merged: true });
    await checked(at, "PUT", `${REPO}/pulls/2/update-branch`, { body: {} });
    const stale = await checked(at, "PUT", `${REPO}/pulls/2/update-branch`, {
      body: { expected_head_sha: "0".repeat(40) },
    });
    expect(stale.status).toBe(422);
  });

  it("S3 statuses: history, combined state, and their limits", async () => {
    const at = await aSimulator();
    const { headSha } = await openPullRequest(at, "one");
    const path = `${REPO}/statuses/${headSha}`;
    await checked(at, "POST", path, { body: { state: "pending", context: "gate" } });
    await checked(at, "POST", path, {
      body: {
        state: "success",
        context: "gate",
        description: "ok",
        target_url: "https://x.test/1",
      },
    });
    expect((await checked(at, "GET", `${REPO}/commits/${headSha}/statuses`)).body).toHaveLength(2);
    const combined = await checked(at, "GET", `${REPO}/commits/one/status`);
    expect(combined.body).toMatchObject({ state: "success", total_count: 1 });
    const long = { state: "success", description: "x".repeat(141) };
    expect((await rest(at, "POST", path, { body: long })).status).toBe(422);
    const main = await checked(at, "GET", `${REPO}/commits/main/status`);
    expect(main.body).toMatchObject({ state: "pending", total_count: 0 });
  });

  it("S3 check runs and suites, made and changed by their App alone", async () => {
    const at = await aSimulator();
    const { headSha } = await openPullRequest(at, "one");
    const { token, app } = await appToken(at);
    const body = { name: "review", head_sha: headSha, status: "in_progress" };
    expect((await rest(at, "POST", `${REPO}/check-runs`, { body })).status).toBe(403);
    const made = await checked(at, "POST", `${REPO}/check-runs`, { body, token });
    const { id, check_suite } = made.body as { id: number; check_suite: { id: number } };
    await checked(at, "PATCH", `${REPO}/check-runs/${id}`, {
      token,
      body: {
        conclusion: "failure",
        output: {
          title: "No",
          summary: "It is wrong",
          annotations: [
            {
              path: "one.txt",
              start_line: 1,
              end_line: 1,
              annotation_level: "failure",
              message: "wrong",
            },
          ],
        },
      },
    });
    const all = await checked(at, "GET", `${REPO}/commits/${headSha}/check-runs`);
    expect(all.body).toMatchObject({ total_count: 2 });
    const named = `${REPO}/commits/${headSha}/check-runs?check_name=review&app_id=${app.id}`;
    expect((await checked(at, "GET", named)).body).toMatchObject({
      total_count: 1,
      check_runs: [{ conclusion: "failure" }],
    });
    await checked(at, "GET", `${REPO}/check-runs/${id}`);
    expect((await checked(at, "GET", `${REPO}/check-runs/${id}/annotations`)).body).toHaveLength(1);
    await checked(at, "GET", `${REPO}/check-suites/${check_suite.id}`);
    await checked(at, "GET", `${REPO}/check-suites/${check_suite.id}/check-runs`);
    await checked(at, "GET", `${REPO}/commits/${headSha}/check-suites`);
  });

  it("S3 S5 runs, attempts, jobs, reruns, cancelling and dispatching", async () => {
    const at = await aSimulator();
    const { headSha } = await openPullRequest(at, "one");
    const runs = await checked(at, "GET", `${REPO}/actions/runs?head_sha=${headSha}`);
    const [run] = (runs.body as { workflow_runs: { id: number }[] }).workflow_runs;
    const path = `${REPO}/actions/runs/${run?.id ?? 0}`;
    await checked(at, "GET", path);
    expect((await rest(at, "POST", `${path}/rerun`)).status).toBe(403);
    expect((await checked(at, "POST", `${path}/cancel`)).status).toBe(202);
    expect((await checked(at, "POST", `${path}/cancel`)).status).toBe(409);
    await checked(at, "POST", `${path}/rerun-failed-jobs`);
    expect((await checked(at, "GET", path)).body).toMatchObject({ run_attempt: 2 });
    expect((await checked(at, "GET", `${path}/attempts/1`)).body).toMatchObject({
      run_attempt: 1,
      conclusion: "cancelled",
    });
    expect((await checked(at, "GET", `${path}/attempts/1/jobs`)).body).toMatchObject({
      jobs: [{ conclusion: "cancelled", run_attempt: 1 }],
    });
    expect((await checked(at, "GET", `${path}/jobs?filter=all`)).body).toMatchObject({
      total_count: 2,
    });
    const jobs = await checked(at, "GET", `${path}/jobs`);
    const [job] = (jobs.body as { jobs: { id: number }[] }).jobs;
    await checked(at, "GET", `${REPO}/actions/jobs/${job?.id ?? 0}`);
    await at.repository.releaseJobs("pass");
    await checked(at, "POST", `${path}/rerun`);
    await checked(at, "POST", `${path}/force-cancel`);
    const again = await checked(at, "GET", `${path}/jobs`);
    const [last] = (again.body as { jobs: { id: number }[] }).jobs;
    await checked(at, "POST", `${REPO}/actions/jobs/${last?.id ?? 0}/rerun`);

    const workflows = await checked(at, "GET", `${REPO}/actions/workflows`);
    const [workflow] = (workflows.body as { workflows: { id: number }[] }).workflows;
    await checked(at, "GET", `${REPO}/actions/workflows/${workflow?.id ?? 0}`);
    await checked(at, "GET", `${REPO}/actions/workflows/ci.yml/runs`);
    const dispatches = `${REPO}/actions/workflows/ci.yml/dispatches`;
    const body = { ref: "main", return_run_details: true };
    expect((await checked(at, "POST", dispatches, { body })).status).toBe(200);
    const silent = { ref: "main" };
    expect((await checked(at, "POST", dispatches, { body: silent })).status).toBe(204);
    const filtered = `${REPO}/actions/runs?event=workflow_dispatch&status=in_progress`;
    expect((await checked(at, "GET", filtered)).body).toMatchObject({ total_count: 2 });
  });

  it("S3 rules of branches and rulesets, with the ranges of the queue's settings", async () => {
    const at = await aSimulator();
    const { token } = await appToken(at);
    const rules = await checked(at, "GET", `${REPO}/rules/branches/main`);
    expect((rules.body as { type: string }[]).map(({ type }) => type)).toEqual([
      "merge_queue",
      "required_status_checks",
    ]);
    expect((await checked(at, "GET", `${REPO}/rules/branches/not/there`)).body).toEqual([]);
    const queue = {
      type: "merge_queue",
      parameters: {
        check_response_timeout_minutes: 30,
        grouping_strategy: "HEADGREEN",
        max_entries_to_build: 3,
        max_entries_to_merge: 3,
        merge_method: "SQUASH",
        min_entries_to_merge: 1,
        min_entries_to_merge_wait_minutes: 0,
      },
    };
    const input = {
      name: "release",
      enforcement: "active",
      conditions: { ref_name: { include: ["refs/heads/release"], exclude: [] } },
      rules: [queue],
    };
    const made = await checked(at, "POST", `${REPO}/rulesets`, { body: input, token });
    const { id } = made.body as { id: number };
    await checked(at, "GET", `${REPO}/rulesets`);
    await checked(at, "GET", `${REPO}/rulesets/${id}`);
    expect((await checked(at, "GET", `${REPO}/rules/branches/release`)).body).toMatchObject([
      queue,
    ]);
    const off = { enforcement: "disabled" };
    const changed = await checked(at, "PUT", `${REPO}/rulesets/${id}`, { body: off, token });
    expect(changed.body).toMatchObject({ name: "release", rules: [queue] });
    expect((await checked(at, "GET", `${REPO}/rules/branches/release`)).body).toEqual([]);
    const outside = {
      ...input,
      name: "wide",
      rules: [{ ...queue, parameters: { ...queue.parameters, max_entries_to_build: 101 } }],
    };
    expect((await rest(at, "POST", `${REPO}/rulesets`, { body: outside, token })).status).toBe(422);
    const unknown = { ...input, name: "signed", rules: [{ type: "required_signatures" }] };
    expect((await rest(at, "POST", `${REPO}/rulesets`, { body: unknown, token })).status).toBe(422);
    await checked(at, "DELETE", `${REPO}/rulesets/${id}`, { token });
  });

  it("S3 S7 Apps, installations and their tokens", async () => {
    const at = await aSimulator();
    const { app, installation, jwt } = await appToken(at);
    expect((await rest(at, "GET", "/app")).status).toBe(401);
    expect((await checked(at, "GET", "/app", { token: jwt })).body).toMatchObject({ id: app.id });
    await checked(at, "GET", "/app/installations", { token: jwt });
    const path = `/app/installations/${installation.id}`;
    await checked(at, "GET", path, { token: jwt });
    await checked(at, "GET", `${REPO}/installation`, { token: jwt });
    const made = await checked(at, "POST", `${path}/access_tokens`, {
      token: jwt,
      body: { repositories: ["shop"], permissions: { contents: "read" } },
    });
    const { token } = made.body as { token: string };
    await checked(at, "GET", "/installation/repositories", { token });
    expect((await rest(at, "GET", `${REPO}/pulls`, { token })).status).toBe(403);
    expect((await rest(at, "GET", `${REPO}/branches`, { token })).status).toBe(200);
    const too = await rest(at, "POST", `${path}/access_tokens`, {
      token: jwt,
      body: { permissions: { environments: "write" } },
    });
    expect(too.status).toBe(422);
    await checked(at, "DELETE", "/installation/token", { token });
    expect((await rest(at, "GET", `${REPO}/branches`, { token })).status).toBe(401);
    const second = await checked(at, "POST", `${path}/access_tokens`, { token: jwt, body: {} });
    const { token: later } = second.body as { token: string };
    await at.admin.advance(3_600_000);
    expect((await rest(at, "GET", REPO, { token: later })).status).toBe(401);
    await checked(at, "DELETE", path, { token: jwt });
    expect((await rest(at, "GET", path, { token: jwt })).status).toBe(404);
  });

  it("S3 S6 deliveries of an App, and their redelivery under the same GUID", async () => {
    const at = await aSimulator();
    const { app, jwt } = await appToken(at);
    // Nobody listens there: the delivery fails.
    const webhook = { url: `${at.simulator.url}/nowhere/at/all`, secret: "s" };
    await at.admin.updateApp(app.id, { webhook: { ...webhook, active: true } });
    at.expectsUnexpected = true;
    await openPullRequest(at, "one");
    await at.admin.idle();
    await checked(at, "GET", "/app/hook/config", { token: jwt });
    const list = await checked(at, "GET", "/app/hook/deliveries?status=failure", { token: jwt });
    const [delivery] = list.body as { id: number; guid: string; status_code: number }[];
    expect(delivery).toMatchObject({ status_code: 404 });
    const path = `/app/hook/deliveries/${delivery?.id ?? 0}`;
    await checked(at, "GET", path, { token: jwt });
    expect((await checked(at, "POST", `${path}/attempts`, { token: jwt })).status).toBe(202);
    await at.admin.idle();
    const after = await checked(at, "GET", "/app/hook/deliveries?per_page=1", { token: jwt });
    expect(after.body).toMatchObject([{ guid: delivery?.guid, redelivery: true }]);
    expect(after.headers.get("link")).toContain("cursor=");
  });

  it("S3 limits, user, meta, hooks", async () => {
    const at = await aSimulator();
    await checked(at, "GET", "/rate_limit");
    await checked(at, "GET", "/meta");
    expect((await checked(at, "GET", "/user")).body).toMatchObject({ login: "robin" });
    const { token } = await appToken(at);
    expect((await rest(at, "GET", "/user", { token })).status).toBe(403);
    const hook = { config: { url: "https://x.test/hook", secret: "s" }, events: ["push"] };
    const made = await checked(at, "POST", `${REPO}/hooks`, { body: hook });
    const { id } = made.body as { id: number };
    await checked(at, "GET", `${REPO}/hooks`);
    await checked(at, "GET", `${REPO}/hooks/${id}`);
    await checked(at, "DELETE", `${REPO}/hooks/${id}`);
  });

  it("S3 every route that is simulated was held to the description above", () => {
    expect(REST_ROUTES.map(routeName).filter((name) => !covered.has(name))).toEqual([]);
  });
});

describe("manners of REST", () => {
  it("S3 pages of a list, with links", async () => {
    const at = await aSimulator();
    for (const name of ["a", "b", "c"]) await at.repository.createBranch({ name });
    const first = await rest(at, "GET", `${REPO}/branches?per_page=2`);
    expect(first.body).toHaveLength(2);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await fetch(next);
    expect(await second.json()).toHaveLength(2);
    expect(second.headers.get("link")).toContain('rel="prev"');
  });

  it("S3 answers under / as under /api/v3, and says 404 to what it does not know", async () => {
    const at = await aSimulator();
    expect((await fetch(`${at.simulator.url}/repos/acme/shop`)).status).toBe(200);
    at.expectsUnexpected = true;
    const none = await rest(at, "GET", `${REPO}/deployments`);
    expect(none).toMatchObject({ status: 404, body: { message: "Not Found" } });
    expect(await at.admin.unexpected()).toMatchObject([
      {
        path: "/api/v3/repos/acme/shop/deployments",
        unexpected: expect.stringContaining("is not simulated") as string,
      },
    ]);
  });

  it("S3 a private repository is not there for those who may not see it", async () => {
    const at = await aSimulator({ repository: { private: true } });
    expect((await rest(at, "GET", REPO, { token: null })).status).toBe(404);
    expect((await rest(at, "GET", REPO)).status).toBe(200);
    expect((await rest(at, "GET", REPO, { token: "wrong" })).status).toBe(401);
  });

  it("S4 a queued pull request reads as before: REST has no queue field (quirk 3)", async () => {
    const at = await aSimulator();
    const { number } = await queued(at, "one");
    const { body } = await rest(at, "GET", `${REPO}/pulls/${number}`);
    expect(body).toMatchObject({ state: "open", mergeable_state: "clean", auto_merge: null });
  });
});
