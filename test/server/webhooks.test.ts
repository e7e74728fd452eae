import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { saveLanding } from "../../db/landings.js";
import type { Project } from "../../src/core/records.js";
import { sampleItem, stateOf } from "../db/sample.js";
import { withWorld } from "./world.js";
import { about, hookedProject, servesWorlds, storedDeliveries } from "./bench.js";

describe("the webhook door", () => {
  const given = withWorld();
  const serve = servesWorlds();

  async function awaiting(project: Project, number: number): Promise<void> {
    const { world } = given;
    const item = await sampleItem(world.db, project);
    const pullRequest = { number, nodeId: `PR_${number}`, url: `https://x.example/pull/${number}` };
    const state = stateOf(item, { pullRequest });
    await saveLanding(world.db, { state, version: 1, why: "armed", at: world.time });
  }

  const touchesOf = (project: Project) =>
    given.world.landings.touched
      .filter((touch) => touch.project === project.key)
      .map(({ pullRequests }) => pullRequests);

  it("B5.1 a delivery signed by the connection's secret about its repository is recorded and touches the landing", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    await awaiting(project, 12);
    const served = await serve(world);
    const response = await served.deliver(project.connection, {
      guid: "good",
      payload: about(project, 12),
    });
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ ok: true, accepted: true });
    await expect
      .poll(() => storedDeliveries(world, project.connection))
      .toEqual([{ guid: "good", processed: true }]);
    expect(touchesOf(project)).toEqual([[12]]);
  });

  const payload = (project: Project) => about(project, 12);
  it.each<[string, number, (project: Project, other: Project) => Parameters<typeof deliver>[1]]>([
    ["a bad signature", 401, (project) => ({ payload: payload(project), secret: "guessed" })],
    [
      "a signature of other bytes",
      401,
      (project) => ({
        payload: payload(project),
        headers: { "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
      }),
    ],
    [
      "a signature of the older kind",
      401,
      (project) => ({ payload: payload(project), headers: { "x-hub-signature-256": "sha1=00" } }),
    ],
    ["another repository", 422, (_project, other) => ({ payload: payload(other) })],
    ["no repository at all", 422, () => ({ payload: { action: "created" } })],
    [
      "no signature",
      400,
      (project) => ({ payload: payload(project), headers: { "x-hub-signature-256": undefined } }),
    ],
    [
      "no delivery id",
      400,
      (project) => ({ payload: payload(project), headers: { "x-github-delivery": undefined } }),
    ],
    ["no JSON", 400, () => ({ body: "payload=%7B%7D" })],
  ])("B5.1 %s is turned away without a write", async (_what, status, sent) => {
    const { world } = given;
    const [project, other] = [await hookedProject(world), await hookedProject(world)];
    await awaiting(project, 12);
    await awaiting(other, 12);
    const response = await deliver(project.connection, sent(project, other));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ refusals: [{ code: "webhook_refused" }] });
    for (const one of [project, other]) {
      expect(await storedDeliveries(world, one.connection)).toEqual([]);
      expect(touchesOf(one)).toEqual([]);
    }
  });

  async function deliver(
    connection: string,
    sent: Parameters<Awaited<ReturnType<typeof serve>>["deliver"]>[1],
  ): Promise<Response> {
    return (await serve(given.world)).deliver(connection, sent);
  }

  it("B5.1 an unknown connection is turned away without a write, though it is signed", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    const response = await deliver("nobody", { payload: payload(project) });
    expect(response.status).toBe(404);
    expect(await storedDeliveries(world, "nobody")).toEqual([]);
  });

  it("B5.1 a body over 25 MB is refused unread", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    const served = await serve(world);
    const limit = 25 * 1024 * 1024;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(
        `${served.url}/webhooks/github/${project.connection}`,
        {
          method: "POST",
          headers: {
            "content-length": limit + 1,
            "x-github-delivery": "large",
            "x-github-event": "push",
            "x-hub-signature-256": `sha256=${"0".repeat(64)}`,
          },
        },
        (response) => {
          resolve(response.statusCode);
          sending.destroy();
        },
      );
      sending.once("error", reject);
      // Only the first byte is ever sent: the answer does not wait for the rest.
      sending.write("{");
    });
    expect(status).toBe(413);
    expect(await storedDeliveries(world, project.connection)).toEqual([]);
  });

  it("B5.1 a body that hides its length is read no further than 25 MB", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    const served = await serve(world);
    const chunk = Buffer.alloc(1024 * 1024, " ");
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 200) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const answered = await fetch(`${served.url}/webhooks/github/${project.connection}`, {
      method: "POST",
      headers: {
        "x-github-delivery": "chunked",
        "x-github-event": "push",
        "x-hub-signature-256": `sha256=${"0".repeat(64)}`,
      },
      body,
      duplex: "half",
    }).then(
      ({ status }) => status,
      // The server may hang up on the sender before it hears the answer.
      () => "closed",
    );
    expect([413, "closed"]).toContain(answered);
    expect(sent).toBeLessThan(200);
    expect(await storedDeliveries(world, project.connection)).toEqual([]);
  });

  it("its twin: a body of some megabytes is let in", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    const large = { ...payload(project), filler: "x".repeat(5 * 1024 * 1024) };
    expect((await deliver(project.connection, { payload: large })).status).toBe(202);
  });

  it("a ping without a repository is answered and not recorded", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    const response = await deliver(project.connection, { event: "ping", payload: { zen: "." } });
    expect(response.status).toBe(200);
    expect(await storedDeliveries(world, project.connection)).toEqual([]);
  });

  it("B5.3 is answered in under 200 ms while the signal hangs, and counts as handled only after it", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    await awaiting(project, 12);
    const served = await serve(world);
    const gate: { open?: () => void } = {};
    world.landings.touching = () => new Promise((resolve) => (gate.open = resolve));
    // The first request of a process also loads and compiles what it needs.
    await served.deliver(project.connection, { guid: "warm", payload: about(project, 99) });
    const started = performance.now();
    const response = await served.deliver(project.connection, {
      guid: "slow",
      payload: about(project, 12),
    });
    expect(performance.now() - started).toBeLessThan(200);
    expect(response.status).toBe(202);
    await expect.poll(() => touchesOf(project)).toEqual([[12]]);
    expect(await storedDeliveries(world, project.connection)).toContainEqual({
      guid: "slow",
      processed: false,
    });
    gate.open?.();
    world.landings.touching = () => Promise.resolve();
    await expect
      .poll(() => storedDeliveries(world, project.connection))
      .toContainEqual({ guid: "slow", processed: true });
  });

  it("A4.1 a pull request that no open landing waits for is marked handled without a signal", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    await awaiting(project, 12);
    const served = await serve(world);
    await served.deliver(project.connection, { guid: "other", payload: about(project, 13) });
    await expect
      .poll(() => storedDeliveries(world, project.connection))
      .toEqual([{ guid: "other", processed: true }]);
    expect(touchesOf(project)).toEqual([]);
  });

  it("a redelivery of one that was handled does nothing", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    await awaiting(project, 12);
    const served = await serve(world);
    const sent = { guid: "twice", payload: about(project, 12) };
    await served.deliver(project.connection, sent);
    await expect
      .poll(() => storedDeliveries(world, project.connection))
      .toEqual([{ guid: "twice", processed: true }]);
    const again = await served.deliver(project.connection, sent);
    expect(await again.json()).toEqual({ ok: true, accepted: false });
    expect(touchesOf(project)).toHaveLength(1);
  });

  it("case E07 fifty webhooks at once become few signals, one at a time, and none is lost", async () => {
    const { world } = given;
    const project = await hookedProject(world);
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    for (const number of numbers) await awaiting(project, number);
    const served = await serve(world);
    let atOnce = 0;
    let most = 0;
    world.landings.touching = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
    };
    const answers = await Promise.all(
      numbers.map((number) =>
        served.deliver(project.connection, { payload: about(project, number) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 202));
    await expect
      .poll(async () =>
        (await storedDeliveries(world, project.connection)).filter(({ processed }) => processed),
      )
      .toHaveLength(50);
    world.landings.touching = () => Promise.resolve();
    const touches = touchesOf(project);
    expect(new Set(touches.flat())).toEqual(new Set(numbers));
    expect(touches.length).toBeLessThan(25);
    expect(most).toBe(1);
  });
});
