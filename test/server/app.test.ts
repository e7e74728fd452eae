import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { connect } from "../../db/client.js";
import { saveLanding } from "../../db/landings.js";
import { SecretError } from "../../src/config/secret.js";
import { functions } from "../../src/functions/registry.js";
import { version } from "../../src/functions/version.js";
import { boardPage, boardPolicy } from "../../src/server/board-page.js";
import { listen } from "../../src/server/listen.js";
import { noon, sampleItem, sampleProject, sampleSession, stateOf } from "../db/sample.js";
import { withWorld, World } from "./world.js";
import { apiToken, hookedProject, servesWorlds } from "./bench.js";

describe("functions over HTTP", () => {
  const given = withWorld();
  const serve = servesWorlds();

  it("answers 200 with the outcome", async () => {
    const served = await serve(given.world);
    const response = await served.call("service.version");
    expect(response.status).toBe(200);
    expect(response.headers.get("x-yoke-version")).toBe(version);
    expect(await response.json()).toEqual({
      ok: true,
      output: { version, taskQueue: "yoke" },
      exit: 0,
    });
  });

  it.each([
    ["missing", undefined],
    ["wrong", "Bearer wrong"],
    ["of another scheme", `Basic ${apiToken}`],
    ["longer by one", `Bearer ${apiToken}x`],
    ["shorter by one", `Bearer ${apiToken.slice(1)}`],
  ])(
    "refuses with 401 when the token is %s, and says how to give one, and not where it is",
    async (_what, given_) => {
      const served = await serve(given.world);
      for (const [path, method] of [
        ["/api/functions/service.version", "POST"],
        ["/api/functions", "GET"],
      ]) {
        const response = await fetch(`${served.url}${path}`, {
          method: String(method),
          ...(given_ === undefined ? {} : { headers: { authorization: given_ } }),
        });
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({
          ok: false,
          exit: 2,
          refusals: [
            {
              code: "unauthorized",
              seen: {},
              next: expect.stringMatching(/YOKE_API_TOKEN`.*YOKE_API_TOKEN_FILE`.*Bearer TOKEN/),
            },
          ],
        });
      }
    },
  );

  it("a token that the server cannot read lets nobody in; its place is in the log alone", async () => {
    const file = "/data/api-token";
    const served = await serve(given.world, {
      token: () => Promise.reject(new SecretError(`secret file ${file} does not exist`)),
    });
    const response = await served.call("service.version");
    expect(response.status).toBe(503);
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ refusals: [{ code: "credential_missing" }] });
    expect(body).not.toContain(file);
    expect(served.logged).toContain("error: the bearer token cannot be read");
  });

  it("answers 422 for a refusal, 404 for an unknown function, and 422 for what is no JSON or no session", async () => {
    const served = await serve(given.world);
    const refused = await served.call("items.get", { item: "NONE-1" });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { ok: false, exit: 2, refusals: [{ code: "item_unknown" }] },
    ]);
    const unknown = await served.call("items.fly");
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { refusals: [{ code: "function_unknown" }] },
    ]);
    const newer = await served.call("items.fly", {}, { "x-yoke-version": "9.0.0" });
    expect([newer.status, await newer.json()]).toMatchObject([
      404,
      { refusals: [{ code: "function_newer_than_server", seen: { since: "9.0.0" } }] },
    ]);
    const headers = { authorization: `Bearer ${apiToken}` };
    const text = await fetch(`${served.url}/api/functions/items.get`, {
      method: "POST",
      headers,
      body: "{",
    });
    expect([text.status, await text.json()]).toMatchObject([
      422,
      { exit: 4, refusals: [{ code: "input_invalid" }] },
    ]);
    const large = await fetch(`${served.url}/api/functions/items.get`, {
      method: "POST",
      headers,
      body: "x".repeat(1024 * 1024 + 1),
    });
    expect(large.status).toBe(422);
    const session = await served.call("service.version", {}, { "x-yoke-session": "two words" });
    expect(session.status).toBe(422);
  });

  it("passes the caller's session on", async () => {
    const { world } = given;
    const served = await serve(world);
    const { key: item } = await sampleItem(world.db);
    const { id } = await sampleSession(world.db);
    const response = await served.call("claim.take", { item }, { "x-yoke-session": id });
    expect(await response.json()).toMatchObject({ output: { claim: { item, session: id } } });
  });

  it("lists every function with the JSON Schema of its input", async () => {
    const served = await serve(given.world);
    const response = await fetch(`${served.url}/api/functions`, {
      headers: { authorization: `Bearer ${apiToken}` },
    });
    const listed = (await response.json()) as { functions: { name: string; input: object }[] };
    expect(listed.functions.map(({ name }) => name)).toEqual(functions.map(({ name }) => name));
    for (const one of listed.functions) expect(one.input).toMatchObject({ type: "object" });
  });

  it("a bug is answered with a report id that the log has, and without its words", async () => {
    const { world } = given;
    const served = await serve(world);
    world.landings.refreshing = () => Promise.reject(new Error("inner words"));
    const { key: item } = await sampleItem(world.db);
    const response = await served.call("explain.item", { item, refresh: true });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({
      refusals: [{ code: "internal_error", seen: { report: expect.stringMatching(/^id-/) } }],
    });
    expect(text).not.toContain("inner words");
    expect(served.logged).toContain("error: bug");
  });

  it("serves while Postgres is away: functions and webhooks say database_unavailable, the rest answers", async () => {
    const gone = new World(connect("postgresql://nobody@127.0.0.1:1/none"), "");
    const served = await serve(gone);
    const response = await served.call("project.list");
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { refusals: [{ code: "database_unavailable" }] },
    ]);
    expect((await served.deliver("hook-1")).status).toBe(503);
    expect((await fetch(`${served.url}/board.json`)).status).toBe(503);
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${served.url}/`)).status).toBe(200);
    const metrics = await (await fetch(`${served.url}/metrics`)).text();
    expect(metrics).toContain("yoke_database_up 0");
    await gone.database.close();
  });

  it("says port_in_use for a port that is taken", async () => {
    const served = await serve(given.world);
    const { Hono } = await import("hono");
    await expect(
      listen(new Hono(), { host: "127.0.0.1", port: served.port }),
    ).rejects.toMatchObject({ refusals: [{ code: "port_in_use" }] });
  });

  it("closes after the requests under way, and does not wait for idle connections", async () => {
    const served = await serve(given.world);
    await served.call("service.version");
    const started = performance.now();
    await served.close();
    expect(performance.now() - started).toBeLessThan(1000);
    await expect(served.call("service.version")).rejects.toThrow("fetch failed");
  });
});

describe("the board and metrics", () => {
  const given = withWorld();
  const serve = servesWorlds();

  it("A4.1 the board is read from Postgres alone", async () => {
    const { world } = given;
    const project = await sampleProject(world.db);
    const item = await sampleItem(world.db, project);
    await saveLanding(world.db, { state: stateOf(item), version: 1, why: "armed", at: noon });
    const served = await serve(world);
    const response = await fetch(`${served.url}/board.json`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      projects: [{ project: project.key, items: [{ item: item.key, phase: "pending" }] }],
    });
    expect(world.landings.touched).toEqual([]);
  });

  it("is one page that loads nothing from elsewhere and may run only its own script", async () => {
    const served = await serve(given.world);
    const response = await fetch(`${served.url}/`);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(response.headers.get("content-security-policy")).toBe(boardPolicy);
    expect(boardPolicy).toMatch(/default-src 'none'; script-src 'sha256-/);
    const page = await response.text();
    expect(page).toBe(boardPage);
    expect(page).not.toMatch(/(?:src|href)="(?!board\.json)/);
    expect(page).toContain('name="viewport"');
    expect(page).not.toContain("innerHTML");
  });

  it("counts function calls, deliveries, landings and notices", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    const served = await serve(world);
    await served.call("service.version");
    await served.call("items.get", { item: "NONE-1" });
    await served.call("made.up");
    await served.deliver(project.connection, { secret: "wrong" });
    await served.deliver(project.connection, {
      payload: { repository: { id: project.repositoryId } },
    });
    const text = await (await fetch(`${served.url}/metrics`)).text();
    for (const line of [
      'yoke_function_calls_total{name="service.version",outcome="ok"} 1',
      'yoke_function_calls_total{name="items.get",outcome="item_unknown"} 1',
      'yoke_function_calls_total{name="unknown",outcome="function_unknown"} 1',
      'yoke_webhook_deliveries_total{result="bad_signature"} 1',
      'yoke_webhook_deliveries_total{result="accepted"} 1',
      'yoke_landings{phase="pending"} 1',
      "yoke_database_up 1",
    ]) {
      expect(text).toContain(line);
    }
  });

  it("a path that is not there is 404, and a request cut off in its middle leaves the server serving", async () => {
    const served = await serve(given.world);
    expect((await fetch(`${served.url}/nothing`)).status).toBe(404);
    await new Promise<void>((resolve) => {
      const cut = request(`${served.url}/api/functions/service.version`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiToken}`, "content-length": 100 },
      });
      cut.once("error", () => resolve());
      cut.write("{", () => cut.destroy(new Error("cut")));
    });
    expect((await served.call("service.version")).status).toBe(200);
  });
});
