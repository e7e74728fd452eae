import { createHmac } from "node:crypto";

import { describe, expect, it } from "vitest";

import { Secret } from "../../src/config/secret.js";
import { queueBranch, readDelivery, verifySignature } from "../../src/github/webhook.js";

const secret = new Secret("hook-secret");
const BUILT_ON = "c".repeat(40);
const repository = { id: 42 };

function sign(body: Buffer): string {
  return `sha256=${createHmac("sha256", "hook-secret").update(body).digest("hex")}`;
}

describe("signatures", () => {
  // Bytes that are no UTF-8: decoded and encoded again they would be others.
  const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);

  it("B5.1 accepts the signature of exactly these bytes", () => {
    expect(verifySignature({ body, signature: sign(body), secret })).toBe(true);
  });

  it("B5.1 refuses other bytes, another secret, and anything that is no signature", () => {
    const signature = sign(body);
    const other = Buffer.from(body);
    other[0] = 0x20;
    expect(verifySignature({ body: other, signature, secret })).toBe(false);
    expect(verifySignature({ body: Buffer.from(body.toString()), signature, secret })).toBe(false);
    expect(verifySignature({ body, signature, secret: new Secret("other") })).toBe(false);
    const wrong = [null, "", "sha256=", signature.replace("sha256", "sha1"), `${signature}00`];
    for (const one of [...wrong, signature.slice(0, -1), signature.slice("sha256=".length)]) {
      expect(verifySignature({ body, signature: one, secret })).toBe(false);
    }
  });
});

describe("queue branches", () => {
  it("are told by their name, also on a base with slashes", () => {
    expect(queueBranch(`refs/heads/gh-readonly-queue/main/pr-12-${BUILT_ON}`)).toEqual({
      base: "main",
      pullRequest: 12,
      builtOn: BUILT_ON,
    });
    expect(queueBranch(`gh-readonly-queue/release/pr-1/x/pr-12-${BUILT_ON}`)).toMatchObject({
      base: "release/pr-1/x",
      pullRequest: 12,
    });
    for (const other of [
      "main",
      `gh-readonly-queue/main/pr-0-${BUILT_ON}`,
      `gh-readonly-queue/main/pr-12-${BUILT_ON}0`,
      `x/gh-readonly-queue/main/pr-12-${BUILT_ON}`,
    ]) {
      expect(queueBranch(other)).toBeNull();
    }
  });
});

describe("what a delivery speaks of", () => {
  const branch = `gh-readonly-queue/rel/1.x/pr-31-${BUILT_ON}`;
  const listed = (number: number, id: number) => ({ number, base: { repo: { id } } });

  it.each([
    ["pull_request", { action: "dequeued", reason: "MERGE", pull_request: { number: 7 } }, [7]],
    ["pull_request_review", { action: "submitted", pull_request: { number: 7 } }, [7]],
    [
      "merge_group",
      { action: "destroyed", merge_group: { head_ref: `refs/heads/${branch}` } },
      [31],
    ],
    [
      "check_run",
      { action: "completed", check_run: { check_suite: { head_branch: branch } } },
      [31],
    ],
    ["check_suite", { action: "completed", check_suite: { head_branch: branch } }, [31]],
    ["workflow_run", { action: "completed", workflow_run: { head_branch: branch } }, [31]],
    ["workflow_job", { action: "queued", workflow_job: { head_branch: branch } }, [31]],
    ["status", { branches: [{ name: "main" }, { name: branch }] }, [31]],
    ["push", { ref: `refs/heads/${branch}` }, [31]],
    ["push", { ref: "refs/heads/main" }, []],
    [
      "check_run",
      { check_run: { pull_requests: [listed(9, 42), listed(3, 42), listed(5, 43)] } },
      [3, 9],
    ],
  ] as const)("A4.1 %s %j", (event, payload, pullRequests) => {
    expect(readDelivery(event, { repository, ...payload })).toEqual({
      repositoryId: 42,
      pullRequests,
      urgent: expect.any(Boolean) as boolean,
      reason: "action" in payload ? `${event}.${payload.action}` : event,
    });
  });

  it.each([
    ["pull_request", { action: "closed" }, true],
    ["pull_request", { action: "dequeued", reason: "CI_FAILURE" }, true],
    ["pull_request", { action: "synchronize" }, true],
    ["pull_request", { action: "something_new" }, true],
    ["merge_group", { action: "destroyed", reason: "invalidated" }, true],
    // `closed` follows, and says that it merged.
    ["pull_request", { action: "dequeued", reason: "MERGE" }, false],
    ["merge_group", { action: "destroyed", reason: "merged" }, false],
    ["pull_request", { action: "enqueued" }, false],
    ["merge_group", { action: "checks_requested" }, false],
    ["check_run", { action: "completed" }, false],
    ["push", {}, false],
  ] as const)("A4.1 A15.6 %s %j: urgent is %s", (event, payload, urgent) => {
    expect(readDelivery(event, payload).urgent).toBe(urgent);
  });

  it("B5.1 a payload that is not understood speaks of nothing, and a wrong part only of less", () => {
    for (const payload of [null, 7, "text", []]) {
      expect(readDelivery("push", payload)).toEqual({
        repositoryId: null,
        pullRequests: [],
        urgent: false,
        reason: "push",
      });
    }
    expect(
      readDelivery("check_run", {
        repository: { id: "42" },
        pull_request: { number: 7 },
        check_run: "odd",
        branches: [null, { name: branch }],
      }),
    ).toEqual({
      repositoryId: null,
      pullRequests: [7, 31],
      urgent: false,
      reason: "check_run",
    });
  });
});
