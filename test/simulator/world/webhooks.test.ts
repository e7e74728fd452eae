import { createHmac } from "node:crypto";

import { describe, expect, it } from "vitest";

import {
  aWorld,
  enqueued,
  finish,
  groupOf,
  names,
  openPullRequest,
  type AWorld,
} from "./a-world.js";

const PULL_REQUESTS = { url: "http://receiver/", secret: "top", events: ["pull_request"] };

async function withApp(at: AWorld, permissions: Record<string, "read" | "write">): Promise<void> {
  const { app } = await at.world.createApp({
    name: `App ${Object.keys(permissions).join(" ")}`,
    events: ["merge_group", "pull_request"],
    permissions,
    webhook: { url: "http://app/", secret: "app secret" },
  });
  await at.world.installApp(app.id, { account: "acme" });
}

describe("deliveries", () => {
  it("S6 are signed over the exact bytes and carry an id", async () => {
    const at = await aWorld();
    await at.world.createHook(at.repository, PULL_REQUESTS);
    await openPullRequest(at, "one");
    await at.world.idle();
    const [first] = at.received;
    const signature = createHmac("sha256", "top")
      .update(first?.delivery.body ?? "")
      .digest("hex");
    expect(first?.headers).toMatchObject({
      "X-GitHub-Event": "pull_request",
      "X-GitHub-Delivery": first?.delivery.guid,
      "X-Hub-Signature-256": `sha256=${signature}`,
      "X-GitHub-Hook-Installation-Target-Type": "repository",
    });
    expect(at.world.deliveries()).toMatchObject([{ statusCode: 200, status: "OK" }]);
  });

  it("S6 reach the hooks that subscribed, and no others", async () => {
    const at = await aWorld();
    await at.world.createHook(at.repository, { ...PULL_REQUESTS, events: ["push"] });
    const other = await at.world.createHook(at.repository, { ...PULL_REQUESTS, active: false });
    const all = await at.world.createHook(at.repository, { ...PULL_REQUESTS, events: ["*"] });
    await openPullRequest(at, "one");
    await at.world.idle();
    expect(at.received.filter(({ delivery }) => delivery.hook.id === other.id)).toEqual([]);
    const forAll = at.received.filter(({ delivery }) => delivery.hook.id === all.id);
    expect(names(forAll)).toContain("pull_request.opened");
    await at.world.deleteHook(all.id);
    expect(at.world.hooks(at.repository)).toHaveLength(2);
  });

  it("S6 merge_group goes to Apps with merge_queues only (quirk 11)", async () => {
    const at = await aWorld();
    await withApp(at, { merge_queues: "read" });
    await withApp(at, { pull_requests: "read" });
    await at.world.createHook(at.repository, { ...PULL_REQUESTS, events: ["merge_group"] });
    const pullRequest = await enqueued(at, "one");
    const group = groupOf(at, pullRequest);
    await finish(at, group);
    await at.world.idle();
    const groups = at.received.filter(({ delivery }) => delivery.event === "merge_group");
    expect(names(groups)).toEqual(["merge_group.checks_requested", "merge_group.destroyed"]);
    expect(new Set(groups.map(({ delivery }) => delivery.hook.id)).size).toBe(1);
    expect(groups[0]?.payload).toMatchObject({
      merge_group: { head_sha: group, base_ref: "refs/heads/main" },
      installation: { id: at.world.installations()[0]?.id },
    });
    expect(groups[1]?.payload).toMatchObject({ reason: "merged" });
    expect(groups[0]?.headers["X-GitHub-Hook-Installation-Target-Type"]).toBe("integration");
  });

  it("S6 destroyed groups say why: dequeued, invalidated, merged (github-facts 3.1)", async () => {
    const at = await aWorld();
    await withApp(at, { merge_queues: "read" });
    const first = await enqueued(at, "one");
    const second = await enqueued(at, "two");
    const gone = groupOf(at, second);
    await finish(at, groupOf(at, first), "fail");
    await finish(at, groupOf(at, second));
    await at.world.idle();
    const destroyed = at.received.filter(({ delivery }) => delivery.action === "destroyed");
    expect(destroyed.map(({ payload }) => payload["reason"])).toEqual([
      "dequeued",
      "invalidated",
      "merged",
    ]);
    expect(destroyed[1]?.payload).toMatchObject({ merge_group: { head_sha: gone } });
  });

  it("S6 an answer that is no 2xx is a failed delivery", async () => {
    const at = await aWorld();
    at.answer = 500;
    await at.world.createHook(at.repository, PULL_REQUESTS);
    await openPullRequest(at, "one");
    await at.world.idle();
    expect(at.world.deliveries()[0]).toMatchObject({ statusCode: 500 });
    expect(at.world.deliveries()[0]?.status).not.toBe("OK");
  });

  it("S6 a redelivery repeats the id and the bytes", async () => {
    const at = await aWorld();
    await at.world.createHook(at.repository, PULL_REQUESTS);
    await at.world.addWebhookFault({ kind: "lose", filter: "pull_request.opened" });
    await openPullRequest(at, "one");
    await at.world.idle();
    expect(at.received).toEqual([]);

    const [lost] = at.world.deliveries();
    const again = await at.world.redeliver(lost?.id ?? 0);
    await at.world.idle();
    expect(again).toMatchObject({ guid: lost?.guid, body: lost?.body, redelivery: true });
    expect(again.id).not.toBe(lost?.id);
    expect(names(at.received)).toEqual(["pull_request.opened"]);
    await expect(at.world.redeliver(1)).rejects.toMatchObject({ status: 404 });
  });
});

describe("scripted faults", () => {
  it("S6 double sends one delivery twice, under one id", async () => {
    const at = await aWorld();
    await at.world.createHook(at.repository, PULL_REQUESTS);
    await at.world.addWebhookFault({ kind: "double", filter: "pull_request" });
    await openPullRequest(at, "one");
    await openPullRequest(at, "two");
    await at.world.idle();
    expect(at.received).toHaveLength(3);
    expect(at.received[0]?.delivery.guid).toBe(at.received[1]?.delivery.guid);
    expect(at.world.webhookFaults()).toMatchObject([{ used: 1, times: 1 }]);
  });

  it("S6 delay waits on the simulator's clock", async () => {
    const at = await aWorld();
    await at.world.createHook(at.repository, PULL_REQUESTS);
    await at.world.addWebhookFault({ kind: "delay", delayMs: 90_000 });
    await openPullRequest(at, "one");
    await openPullRequest(at, "two");
    await at.world.idle();
    expect(at.received.map(({ payload }) => payload["number"])).toEqual([2]);
    await at.world.advance(90_000);
    await at.world.idle();
    expect(at.received.map(({ payload }) => payload["number"])).toEqual([2, 1]);
  });

  it("S6 reorder sends the next n last first", async () => {
    const at = await aWorld();
    await at.world.createHook(at.repository, PULL_REQUESTS);
    await at.world.addWebhookFault({ kind: "reorder", times: 3 });
    for (const branch of ["one", "two", "three", "four"]) await openPullRequest(at, branch);
    await at.world.idle();
    expect(at.received.map(({ payload }) => payload["number"])).toEqual([3, 2, 1, 4]);
  });

  it("S6 clearing the faults lets go what was kept back", async () => {
    const at = await aWorld();
    await at.world.createHook(at.repository, PULL_REQUESTS);
    await at.world.addWebhookFault({ kind: "reorder", times: 9 });
    await openPullRequest(at, "one");
    await at.world.idle();
    expect(at.received).toEqual([]);
    await at.world.clearWebhookFaults();
    await at.world.idle();
    expect(names(at.received)).toEqual(["pull_request.opened"]);
  });
});
