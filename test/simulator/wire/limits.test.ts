import { describe, expect, it } from "vitest";

import { aSimulator, graphql, HOUR, openPullRequest, rest, START } from "./a-simulator.js";

const REPO = "/repos/acme/shop";
const VIEWER = "{ viewer { login } rateLimit { cost limit remaining used resetAt } }";

describe("primary limits", () => {
  it("S8 requests are counted by person, told in headers, refused at the end, and given again", async () => {
    const at = await aSimulator();
    await at.admin.setLimits({ core: 3 });
    const first = await rest(at, "GET", REPO);
    const told = (name: string): string | null => first.headers.get(`x-ratelimit-${name}`);
    expect([told("limit"), told("used"), told("remaining"), told("resource")]).toEqual([
      "3",
      "1",
      "2",
      "core",
    ]);
    expect(told("reset")).toBe(String((START + HOUR) / 1000));
    // Another token of the same person draws on the same budget, another person does not.
    const second = await at.admin.createToken("robin");
    await rest(at, "GET", REPO, { token: second });
    await rest(at, "GET", `${REPO}/pulls/99`);
    const refused = await rest(at, "GET", REPO);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(refused.body).toMatchObject({
      message: expect.stringContaining("API rate limit exceeded") as string,
    });
    const limits = await rest(at, "GET", "/rate_limit");
    expect(limits.body).toMatchObject({ resources: { core: { used: 3, remaining: 0 } } });
    const other = await at.admin.createToken("pat");
    expect((await rest(at, "GET", REPO, { token: other })).status).toBe(200);
    await at.admin.advance(HOUR);
    expect((await rest(at, "GET", REPO)).status).toBe(200);
  });

  it("S8 points of GraphQL have a budget of their own; its end is HTTP 200 with an error (quirk 35)", async () => {
    const at = await aSimulator();
    await at.admin.setLimits({ graphql: 2, graphqlType: "RATE_LIMITED" });
    const first = await graphql(at, VIEWER);
    expect(first.body).toMatchObject({
      data: { rateLimit: { cost: 1, limit: 2, remaining: 1, used: 1 } },
    });
    expect(first.headers.get("x-ratelimit-resource")).toBe("graphql");
    await graphql(at, VIEWER);
    const third = await graphql(at, VIEWER);
    expect(third).toMatchObject({ status: 200, body: { errors: [{ type: "RATE_LIMITED" }] } });
    expect(third.headers.get("x-ratelimit-remaining")).toBe("0");
    expect((await rest(at, "GET", REPO)).status).toBe(200);
  });

  it("S8 without a credential there are 60, and GraphQL is closed", async () => {
    const at = await aSimulator();
    const answer = await rest(at, "GET", REPO, { token: null });
    expect(answer.headers.get("x-ratelimit-limit")).toBe("60");
    expect((await graphql(at, VIEWER, {}, null)).status).toBe(401);
    expect((await graphql(at, VIEWER, {}, "wrong")).status).toBe(401);
  });
});

describe("conditional requests", () => {
  it("S8 a 304 is free, until something changes; an ETag belongs to its token (quirk 34)", async () => {
    const at = await aSimulator();
    await openPullRequest(at, "one");
    const first = await rest(at, "GET", `${REPO}/pulls/1`);
    const etag = first.headers.get("etag") ?? "";
    const headers = { "if-none-match": etag };
    const again = await rest(at, "GET", `${REPO}/pulls/1`, { headers });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect(again.headers.get("x-ratelimit-used")).toBe(first.headers.get("x-ratelimit-used"));
    const token = await at.admin.createToken("robin");
    expect((await rest(at, "GET", `${REPO}/pulls/1`, { headers, token })).status).toBe(200);
    await at.repository.editPullRequest(1, { title: "New" });
    expect((await rest(at, "GET", `${REPO}/pulls/1`, { headers })).status).toBe(200);
  });

  it("S8 the oid of a head is its ETag under the sha media type (github-facts 2.6)", async () => {
    const at = await aSimulator();
    const { headSha } = await openPullRequest(at, "one");
    const accept = "application/vnd.github.sha";
    const first = await rest(at, "GET", `${REPO}/commits/one`, { headers: { accept } });
    expect(first.text).toBe(headSha);
    const headers = { accept, "if-none-match": `"${headSha}"` };
    expect((await rest(at, "GET", `${REPO}/commits/one`, { headers })).status).toBe(304);
    await at.repository.commit({ branch: "one", files: { more: "1" }, message: "More" });
    expect((await rest(at, "GET", `${REPO}/commits/one`, { headers })).status).toBe(200);
  });
});

describe("secondary limits", () => {
  it("S8 too many writes in a minute are refused with retry-after, and not in the next", async () => {
    const at = await aSimulator();
    const { headSha } = await openPullRequest(at, "one");
    await at.admin.setLimits({ secondary: { contentPerMinute: 2 } });
    const post = () =>
      rest(at, "POST", `${REPO}/statuses/${headSha}`, { body: { state: "success" } });
    expect([(await post()).status, (await post()).status]).toEqual([201, 201]);
    const third = await post();
    expect(third.status).toBe(403);
    expect(third.headers.get("retry-after")).toBe("60");
    expect(third.body).toMatchObject({
      message: expect.stringContaining("secondary rate limit") as string,
    });
    expect((await rest(at, "GET", REPO)).status).toBe(200);
    await at.admin.advance(60_000);
    expect((await post()).status).toBe(201);
  });

  it("S8 points of a minute: reads 1, writes 5; off by default", async () => {
    const at = await aSimulator();
    expect((await at.admin.limits()).secondary).toBeNull();
    await at.admin.setLimits({ secondary: { graphqlPointsPerMinute: 2, retryAfter: 7 } });
    await graphql(at, VIEWER);
    await graphql(at, VIEWER);
    const third = await graphql(at, VIEWER);
    expect([third.status, third.headers.get("retry-after")]).toEqual([403, "7"]);
    await at.admin.setLimits({ secondary: null });
    expect((await graphql(at, VIEWER)).status).toBe(200);
  });
});
