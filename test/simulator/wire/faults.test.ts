import { describe, expect, it } from "vitest";

import * as queries from "../../../src/github/queries.js";
import { aSimulator, graphql, openPullRequest, rest } from "./a-simulator.js";

const REPO = "/repos/acme/shop";

describe("scripted faults", () => {
  it("S8 a scripted status instead of the answer, on the nth fitting request, so often", async () => {
    const at = await aSimulator();
    const fault = await at.admin.addFault({
      match: { route: "^GET /repos/\\{owner\\}/\\{repo\\}/branches$" },
      nth: 2,
      times: 2,
      status: 502,
      headers: { "retry-after": "3" },
      body: "<html>Bad gateway</html>",
    });
    const statuses: number[] = [];
    for (let turn = 0; turn < 5; turn += 1)
      statuses.push((await rest(at, "GET", `${REPO}/branches`)).status);
    expect(statuses).toEqual([200, 502, 502, 200, 200]);
    expect((await rest(at, "GET", REPO)).status).toBe(200);
    expect(await at.admin.faults()).toMatchObject([
      { id: fault.id, matched: 5, used: 2, unused: false },
    ]);
    const [, second] = (await at.admin.requests({ kind: "rest" })).requests;
    expect(second).toMatchObject({ fault: fault.id, status: 502 });
  });

  it("S8 the reply to a write is lost after it took effect, or the write never arrived", async () => {
    const at = await aSimulator();
    const { nodeId } = await openPullRequest(at, "one");
    const arm = () => graphql(at, queries.enableAutoMerge, { input: { pullRequestId: nodeId } });
    const match = { operation: "EnableAutoMerge" };
    await at.admin.addFault({ match, cut: "before" });
    await expect(arm()).rejects.toThrow("fetch failed");
    expect((await at.repository.pullRequest(1)).autoMerge).toBeNull();
    await at.admin.addFault({ match, cut: "after" });
    await expect(arm()).rejects.toThrow("fetch failed");
    expect((await at.repository.pullRequest(1)).autoMerge).not.toBeNull();
    expect((await at.admin.faults()).filter(({ unused }) => unused)).toEqual([]);
  });

  it("S8 a 5xx after the effect, and one without", async () => {
    const at = await aSimulator();
    const post = () =>
      rest(at, "POST", `${REPO}/git/refs`, { body: { ref: "refs/heads/x", sha: "main" } });
    const match = { method: "POST", route: "/git/refs$" };
    await at.admin.addFault({ match, status: 500 });
    expect((await post()).status).toBe(500);
    expect(await at.repository.branches()).toHaveLength(1);
    await at.admin.addFault({ match, status: 504, effect: true });
    expect((await post()).status).toBe(504);
    expect(await at.repository.branches()).toHaveLength(2);
  });

  it("S8 an answer that breaks off, and one that is slow", async () => {
    const at = await aSimulator();
    await at.admin.addFault({ match: { kind: "rest" }, cut: "during" });
    await expect(rest(at, "GET", REPO)).rejects.toThrow("terminated");
    await at.admin.addFault({ match: { kind: "rest" }, delayMs: 5_000 });
    const slow = fetch(`${at.simulator.apiUrl}${REPO}`, { signal: AbortSignal.timeout(50) });
    await expect(slow).rejects.toThrow(/timeout/i);
    expect((await rest(at, "GET", REPO)).status).toBe(200);
  });

  it("S8 no answer until the client goes away: before the effect, and after it", async () => {
    const at = await aSimulator();
    const { faults } = at.simulator.services;
    const { nodeId } = await openPullRequest(at, "one");
    const match = { operation: "EnableAutoMerge" };
    const goneAfter = async (hang: "before" | "after") => {
      const fault = faults.add({ match, hang });
      const client = new AbortController();
      const asked = fetch(`${at.simulator.url}/api/graphql`, {
        method: "POST",
        headers: { authorization: `Bearer ${at.token}` },
        body: JSON.stringify({
          query: queries.enableAutoMerge,
          variables: { input: { pullRequestId: nodeId } },
        }),
        signal: client.signal,
      });
      await faults.hanging(fault);
      client.abort();
      await expect(asked).rejects.toThrow(/abort/);
      await at.simulator.services.log.quiet();
      return (await at.repository.pullRequest(1)).autoMerge;
    };
    expect(await goneAfter("before")).toBeNull();
    expect(await goneAfter("after")).not.toBeNull();
    expect(await at.admin.faults()).toMatchObject([
      { used: 1, hung: 1, unused: false },
      { used: 1, hung: 1, unused: false },
    ]);
  });

  it("S8 a request that hangs goes on when its fault is released", async () => {
    const at = await aSimulator();
    const { faults } = at.simulator.services;
    for (const hang of ["before", "after"] as const) {
      const fault = faults.add({ match: { route: "^GET /repos/" }, hang });
      const asked = rest(at, "GET", REPO);
      await faults.hanging(fault);
      faults.release(fault);
      expect((await asked).status).toBe(200);
      expect(fault).toMatchObject({ used: 1, hung: 1 });
    }
  });

  it("S8 single fields of a GraphQL answer fail; null spreads as the schema says (quirk 36)", async () => {
    const at = await aSimulator();
    const one = await openPullRequest(at, "one");
    const two = await openPullRequest(at, "two");
    await at.admin.addFault({
      match: { field: "mergeQueueEntry" },
      errors: [
        { path: ["nodes", 0, "mergeQueueEntry"], type: "FORBIDDEN", message: "No" },
        { path: ["nodes", "*", "headRefOid"] },
      ],
    });
    const ids = [one.nodeId, two.nodeId];
    const broken = await graphql(at, queries.observe, { ids });
    // `headRefOid` is non-null, so its pull request is gone; `mergeQueueEntry` is not.
    expect(broken).toMatchObject({ status: 200, body: { data: { nodes: [null, null] } } });
    expect(broken.body.errors).toContainEqual(
      expect.objectContaining({ type: "SERVICE_UNAVAILABLE", path: ["nodes", 1, "headRefOid"] }),
    );
    await at.admin.addFault({
      match: { operation: "Observe" },
      errors: [{ path: ["nodes", 0, "mergeQueueEntry"], type: "FORBIDDEN", message: "No" }],
    });
    const partial = await graphql(at, queries.observe, { ids });
    expect(partial.body).toMatchObject({
      data: { nodes: [{ id: one.nodeId, mergeQueueEntry: null }, { id: two.nodeId }] },
      errors: [{ type: "FORBIDDEN", path: ["nodes", 0, "mergeQueueEntry"], message: "No" }],
    });
    expect((await graphql(at, queries.observe, { ids })).body.errors).toBeUndefined();
  });

  it("S8 a fault that nothing met is told as unused, and can be taken back", async () => {
    const at = await aSimulator();
    const fault = await at.admin.addFault({ match: { operation: "Nobody" }, status: 500 });
    expect(await at.admin.faults()).toMatchObject([{ id: fault.id, unused: true, matched: 0 }]);
    await at.admin.removeFault(fault.id);
    expect(await at.admin.faults()).toEqual([]);
    await expect(at.admin.removeFault(fault.id)).rejects.toThrow(/no fault/);
    await expect(at.admin.addFault({ match: { route: "(" } })).rejects.toThrow(/match.route/);
  });
});
