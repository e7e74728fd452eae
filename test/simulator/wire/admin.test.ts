import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { describe, expect, it, onTestFinished } from "vitest";

import { startSimulator } from "../../../src/simulator/index.js";
import { SimulatorAdmin } from "../../../src/simulator/wire/admin-client.js";
import { aSimulator, git, graphql, openPullRequest, queued, rest } from "./a-simulator.js";

describe("the admin API", () => {
  it("S9 errors say what is wrong: every key, unknown keys too", async () => {
    const at = await aSimulator();
    const post = async (path: string, body: string) => {
      const answer = await fetch(`${at.simulator.url}/_sim${path}`, { method: "POST", body });
      return { status: answer.status, body: await answer.json() };
    };
    expect(await post("/repositories", '{"owner": 1, "colour": "red"}')).toMatchObject({
      status: 400,
      body: {
        error: {
          code: "invalid_input",
          message: expect.stringMatching(/owner: .*name: .*colour/s) as string,
        },
      },
    });
    expect(await post("/repositories", "{")).toMatchObject({ status: 400 });
    expect(await post("/nothing", "{}")).toMatchObject({
      status: 404,
      body: { error: { code: "no_such_operation" } },
    });
    await expect(at.repository.pullRequest(7)).rejects.toThrow("There is no pull request 7.");
    await expect(at.repository.close(7)).rejects.toThrow("There is no pull request 7.");
    await openPullRequest(at, "one");
    await expect(at.repository.close(1, { actor: "nobody" })).rejects.toMatchObject({
      status: 404,
      code: "not_found",
    });
    await expect(at.repository.enqueue(1)).rejects.toMatchObject({ status: 422 });
    await at.repository.close(1, { actor: "robin" });
  });

  it("S9 requests are counted by route, git apart, since a mark, and forgotten on demand", async () => {
    const at = await aSimulator();
    await rest(at, "GET", "/repos/acme/shop");
    await rest(at, "GET", "/repos/acme/shop/pulls/9");
    await rest(at, "GET", "/repos/acme/shop/pulls/8");
    const { last } = await at.admin.requests();
    await graphql(at, "query Who { viewer { login } }");
    await git(at.folder, "ls-remote", `${at.simulator.url}/acme/shop.git`);
    const all = await at.admin.requestCounts();
    expect(all.counts).toContainEqual({
      kind: "rest",
      route: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
      count: 2,
      statuses: { "404": 2 },
    });
    const later = await at.admin.requestCounts({ since: last });
    expect(later.counts.map(({ kind }) => kind).sort()).toEqual(["git", "git", "graphql"]);
    const [one] = (await at.admin.requests({ kind: "graphql" })).requests;
    expect(one).toMatchObject({
      route: "graphql Who",
      operation: "Who",
      fields: ["viewer"],
      actor: "robin",
      status: 200,
      cost: 1,
    });
    expect((await at.admin.requestCounts({ kind: "git", since: last })).total).toBe(2);
    expect((await at.admin.requests({ since: "2030-01-01T00:00:00Z" })).total).toBe(0);
    await at.admin.resetRequests();
    expect((await at.admin.requests()).total).toBe(0);
  });

  it("S9 idle says what goes on when it gives up: a request that a fault holds back", async () => {
    const at = await aSimulator();
    await at.admin.addFault({ match: { kind: "rest" }, delayMs: 300 });
    const slow = rest(at, "GET", "/repos/acme/shop");
    while ((await at.admin.requests()).requests.at(-1)?.kind !== "rest") continue;
    await expect(at.admin.idle(0)).rejects.toThrow(/busy: request .*GET \/repos/);
    await at.admin.idle();
    expect((await slow).status).toBe(200);
  });

  it("S10 a stepped clock moves by hand, is seen in dates, and never goes back", async () => {
    const at = await aSimulator({ jobs: [{ name: "ci", outcome: "pass", duration: 60_000 }] });
    const { headSha } = await openPullRequest(at, "one");
    expect((await at.repository.runs({ headSha }))[0]).toMatchObject({ status: "in_progress" });
    await at.admin.setClock("2026-03-01T12:01:00Z");
    expect((await at.repository.runs({ headSha }))[0]).toMatchObject({ conclusion: "success" });
    const answer = await rest(at, "GET", "/rate_limit");
    expect(answer.headers.get("date")).toBe("Sun, 01 Mar 2026 12:01:00 GMT");
    await expect(at.admin.setClock("2026-03-01T12:00:00Z")).rejects.toMatchObject({ status: 409 });
    await expect(at.admin.advance(-1)).rejects.toMatchObject({ status: 400 });
  });

  it("S10 a real clock goes by itself and cannot be stepped", async () => {
    const at = await aSimulator({ options: { clock: "real" } });
    expect((await at.admin.clock()).kind).toBe("real");
    await expect(at.admin.advance(1)).rejects.toMatchObject({ status: 409 });
    const answer = await rest(at, "GET", "/rate_limit");
    const date = Date.parse(answer.headers.get("date") ?? "");
    expect(Math.abs(date - Date.now())).toBeLessThan(10_000);
  });

  it("S6 webhooks leave by HTTP, signed; a receiver that is away is told in the delivery", async () => {
    const at = await aSimulator();
    const received: { event: unknown; signature: unknown }[] = [];
    const receiver = createServer((request, response) => {
      received.push({
        event: request.headers["x-github-event"],
        signature: request.headers["x-hub-signature-256"],
      });
      request.resume();
      response.writeHead(202).end();
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/hook`;
    await at.repository.createHook({ url, secret: "s3cret", events: ["pull_request"] });
    await openPullRequest(at, "one");
    await at.admin.idle();
    expect(received).toEqual([
      {
        event: "pull_request",
        signature: expect.stringMatching(/^sha256=[0-9a-f]{64}$/) as string,
      },
    ]);
    receiver.close();
    receiver.closeAllConnections();
    await once(receiver, "close");
    await at.repository.close(1);
    await at.admin.idle();
    const [opened, closed] = await at.admin.deliveries("pull_request");
    expect(opened).toMatchObject({ action: "opened", statusCode: 202, status: "OK" });
    expect(closed).toMatchObject({ action: "closed", statusCode: 502 });
  });

  it("S9 a world survives its process: pull requests, the queue, tokens, branches", async () => {
    const folder = await mkdtemp(join(tmpdir(), "simulated-github-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const options = { dataDir: folder, clock: "stepped" } as const;
    const first = await startSimulator(options);
    const admin = new SimulatorAdmin(first.url);
    const token = await admin.createToken("robin");
    const shop = await admin.createRepository({ owner: "acme", name: "shop", files: { a: "a" } });
    await shop.setRuleset({ name: "main", mergeQueue: {} });
    await shop.commit({ branch: "one", files: { one: "1" }, message: "One" });
    const { number } = await shop.openPullRequest({ title: "One", head: "one" });
    await first.close();

    const second = await startSimulator(options);
    try {
      const again = new SimulatorAdmin(second.url).repository("acme", "shop");
      expect(await again.pullRequest(number)).toMatchObject({ title: "One", state: "OPEN" });
      const user = await fetch(`${second.apiUrl}/user`, {
        headers: { authorization: `token ${token}` },
      });
      expect(await user.json()).toMatchObject({ login: "robin" });
    } finally {
      await second.close();
    }
  });

  it("S9 a port that is taken is refused, and nothing is left behind", async () => {
    const at = await aSimulator();
    const port = Number(new URL(at.simulator.url).port);
    const dataDir = join(at.folder, "other");
    await expect(startSimulator({ dataDir, port })).rejects.toThrow(/EADDRINUSE/);
  });

  it("S4 case A34 a wrong tree is written by the next landing, on demand", async () => {
    const at = await aSimulator();
    await at.repository.setRuleset({
      name: "main",
      mergeQueue: { minEntriesToMergeWaitMinutes: 0 },
      requiredStatusChecks: { checks: [{ context: "ci", integrationId: null }] },
    });
    await at.repository.writeWrongTree();
    await queued(at, "one");
    await at.repository.releaseJobs("pass");
    expect(await at.repository.pullRequest(1)).toMatchObject({ state: "MERGED" });
    const folder = at.folder;
    await git(folder, "clone", "--quiet", `${at.simulator.url}/acme/shop.git`, "after");
    expect(await git(join(folder, "after"), "ls-files")).toBe("README.md");
  });
});
