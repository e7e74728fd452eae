import { describe, expect, it } from "vitest";

import { faultOf } from "./faults.js";
import { github } from "./fake-github.js";
import { graphqlError, idOf, nodesFor } from "./pull-requests.js";

const DATE = "Fri, 02 Jan 2026 03:04:05 GMT";
const RESET = Date.parse(DATE) / 1000 + 900;
const spent = {
  date: DATE,
  "x-ratelimit-limit": "5000",
  "x-ratelimit-remaining": "0",
  "x-ratelimit-reset": String(RESET),
};

async function read(reply: {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body: unknown;
}) {
  const { client, sent } = await github(() => reply);
  const fault = await faultOf(client.observe([idOf(1)]));
  return { fault, requests: sent.length };
}

describe("rate limits", () => {
  it.each(["RATE_LIMIT", "RATE_LIMITED"])(
    "A15.3 case A32 %s in an answer with status 200 waits until the reset, by GitHub's clock",
    async (type) => {
      const { fault, requests } = await read({
        headers: spent,
        body: { errors: [graphqlError(type, "API rate limit exceeded")] },
      });
      expect(fault).toMatchObject({ kind: "rate_limited", retryAfterMs: 900_000 });
      expect(requests).toBe(1);
    },
  );

  it("A15.3 case A32 a primary limit told by status 403 waits until the reset", async () => {
    const { fault } = await read({ status: 403, headers: spent, body: { message: "limit" } });
    expect(fault).toMatchObject({ kind: "rate_limited", retryAfterMs: 900_000 });
  });

  it.each([403, 429])("A15.3 case A32 %i with retry-after waits that long", async (status) => {
    const { fault, requests } = await read({
      status,
      headers: { "retry-after": "93" },
      body: { message: "You have exceeded a secondary rate limit." },
    });
    expect(fault).toMatchObject({ kind: "rate_limited", retryAfterMs: 93_000 });
    expect(requests).toBe(1);
  });

  it.each([
    { status: 403, message: "You have exceeded a secondary rate limit." },
    { status: 429, message: "Too many requests" },
  ])("A15.3 case A32 $status without retry-after waits a minute", async ({ status, message }) => {
    const { fault } = await read({ status, body: { message } });
    expect(fault).toMatchObject({ kind: "rate_limited", retryAfterMs: 60_000 });
  });

  it("A15.3 a secondary limit in an answer with status 200 waits a minute", async () => {
    const { fault } = await read({
      body: { errors: [graphqlError(null, "You have exceeded a secondary rate limit.")] },
    });
    expect(fault).toMatchObject({ kind: "rate_limited", retryAfterMs: 60_000 });
  });

  it("A15.3 case A32 a limit on a write says that nothing was done", async () => {
    const { client, sent } = await github(() => ({
      status: 403,
      headers: { "retry-after": "60" },
      body: { message: "secondary" },
    }));
    const fault = await faultOf(client.dequeue({ nodeId: idOf(1) }));
    expect(fault).toMatchObject({ kind: "rate_limited", retryAfterMs: 60_000 });
    expect(sent).toHaveLength(1);
  });

  it("A5.10 403 without any sign of a limit is a missing right, as are 401 and 404", async () => {
    for (const status of [401, 403, 404]) {
      const { fault } = await read({ status, body: { message: "Resource not accessible" } });
      expect(fault).toMatchObject({ kind: "no_access", status });
    }
  });

  it("limits() tells the figures of the last answer, and nothing before the first", async () => {
    const { client } = await github(({ variables }) => ({
      headers: { ...spent, "x-ratelimit-remaining": "4988" },
      body: { data: { rateLimit: { cost: 1 }, ...nodesFor(variables) } },
    }));
    expect(client.limits()).toBeNull();
    await client.observe([idOf(1)]);
    expect(client.limits()).toEqual({
      limit: 5000,
      remaining: 4988,
      resetAt: new Date(RESET * 1000).toISOString(),
      cost: 1,
    });
  });

  it("an Enterprise Server without rate limits still answers", async () => {
    const { client } = await github(({ variables }) => ({
      body: {
        data: { rateLimit: null, ...nodesFor(variables) },
        errors: [graphqlError("NOT_FOUND", "Rate limiting is not enabled.", ["rateLimit"])],
      },
    }));
    expect((await client.observe([idOf(1)])).observations).toHaveLength(1);
  });
});
