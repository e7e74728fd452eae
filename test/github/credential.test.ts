import { createVerify, generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { Secret } from "../../src/config/secret.js";
import { GitHubError } from "../../src/github/port.js";
import { errorOf, faultOf } from "./faults.js";
import { type Behaviour, clientOf, fakeGitHub, github, type Sent, TOKEN } from "./fake-github.js";
import { HEAD, idOf, nodesFor } from "./pull-requests.js";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
const app = {
  kind: "app",
  appId: 5,
  installationId: 77,
  privateKey: new Secret(pem),
} as const;
const HOUR = 3_600_000;
const TOKENS = "/api/v3/app/installations/77/access_tokens";

/** An App's GitHub: `token-1`, `token-2`, … each for an hour; requests are answered by `graphql`. */
function installation(
  now: () => number,
  graphql: Behaviour = ({ variables }) => ({ body: { data: nodesFor(variables) } }),
): Behaviour {
  let made = 0;
  return (sent) => {
    if (sent.path !== TOKENS) return graphql(sent);
    made += 1;
    const expires_at = new Date(now() + HOUR).toISOString();
    return { status: 201, body: { token: `token-${made}`, expires_at, permissions: {} } };
  };
}

function tokensOf(sent: readonly Sent[]): readonly (string | undefined)[] {
  return sent.filter(({ path }) => path !== TOKENS).map(({ headers }) => headers.authorization);
}

/** Everything an error could show anywhere. */
function everythingOf(error: unknown): string {
  return [String(error), inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error)]
    .concat(error instanceof Error ? [error.stack ?? ""] : [])
    .join("\n");
}

describe("an App's installation", () => {
  it("B5.4 makes a token once, uses it, and renews it before it ends", async () => {
    let time = Date.now();
    const fake = await fakeGitHub(installation(() => time));
    const client = clientOf(fake, { credential: app, now: () => time });
    await Promise.all([client.observe([idOf(1)]), client.observe([idOf(2)])]);
    time += HOUR - 6 * 60_000;
    await client.observe([idOf(1)]);
    time += 2 * 60_000;
    await client.observe([idOf(1)]);
    expect(tokensOf(fake.sent)).toEqual([
      "Bearer token-1",
      "Bearer token-1",
      "Bearer token-1",
      "Bearer token-2",
    ]);
  });

  it("B5.4 signs its request for a token with the App's key", async () => {
    const { client, sent } = await github(installation(Date.now), { credential: app });
    expect((await client.token()).reveal()).toBe("token-1");
    const [header, payload, signature] = (sent[0]?.headers.authorization ?? "")
      .replace(/^bearer /i, "")
      .split(".");
    const verified = createVerify("RSA-SHA256")
      .update(`${header}.${payload}`)
      .verify(publicKey, signature ?? "", "base64url");
    expect(verified).toBe(true);
    expect(JSON.parse(Buffer.from(payload ?? "", "base64url").toString())).toMatchObject({
      iss: 5,
    });
  });

  it("B5.4 asks a read once more with a new token when the old one is refused", async () => {
    let revoked = "";
    const { client, sent } = await github(
      installation(Date.now, ({ headers, variables }) =>
        headers.authorization === revoked
          ? { status: 401, body: { message: "Bad credentials" } }
          : { body: { data: nodesFor(variables) } },
      ),
      { credential: app },
    );
    await client.observe([idOf(1)]);
    revoked = "Bearer token-1";
    expect((await client.observe([idOf(1)])).observations).toHaveLength(1);
    expect(tokensOf(sent)).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-2"]);
  });

  it("case A31 a write is sent once even when its token is refused; the next call has a new one", async () => {
    let revoked = "Bearer none";
    const { client, sent } = await github(
      installation(Date.now, ({ headers, operation, variables }) => {
        if (headers.authorization === revoked) return { status: 401, body: { message: "no" } };
        return {
          body: {
            data:
              operation === "Enqueue"
                ? { enqueuePullRequest: { __typename: "EnqueuePullRequestPayload" } }
                : nodesFor(variables),
          },
        };
      }),
      { credential: app },
    );
    await client.observe([idOf(1)]);
    revoked = "Bearer token-1";
    const write = { nodeId: idOf(1), expectedHead: HEAD };
    expect(await faultOf(client.enqueue(write))).toMatchObject({ kind: "no_access", status: 401 });
    expect(sent.filter(({ operation }) => operation === "Enqueue")).toHaveLength(1);
    await client.enqueue(write);
    expect(tokensOf(sent).at(-1)).toBe("Bearer token-2");
  });

  it("B5.2 an installation that is gone, or a wrong key, is no access", async () => {
    const gone = await github(() => ({ status: 404, body: { message: "Not Found" } }), {
      credential: app,
    });
    expect(await faultOf(gone.client.observe([idOf(1)]))).toMatchObject({
      kind: "no_access",
      status: 404,
    });
    const wrong = await github(() => ({ body: {} }), {
      credential: { ...app, privateKey: new Secret("no key at all") },
    });
    expect(await faultOf(wrong.client.observe([idOf(1)]))).toMatchObject({ kind: "no_access" });
    expect(wrong.sent).toHaveLength(0);
  });

  it("case A31 a write whose token could not be made is unavailable: nothing was sent", async () => {
    const { client, sent } = await github(() => ({ status: 502, body: { message: "down" } }), {
      credential: app,
    });
    expect(await faultOf(client.dequeue({ nodeId: idOf(1) }))).toMatchObject({
      kind: "unavailable",
    });
    expect(sent.map(({ path }) => path)).toEqual([TOKENS]);
  });
});

describe("a token kept elsewhere", () => {
  it("B5.4 is read when it is needed, so that a renewed one is used without a restart", async () => {
    const { client, sent } = await github(
      ({ variables }) => ({ body: { data: nodesFor(variables) } }),
      { credential: { kind: "token", token: "env:YOKE_TEST_TOKEN" } },
    );
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    for (const token of ["first", "second"]) {
      vi.stubEnv("YOKE_TEST_TOKEN", token);
      await client.observe([idOf(1)]);
    }
    expect(tokensOf(sent)).toEqual(["Bearer first", "Bearer second"]);
    vi.stubEnv("YOKE_TEST_TOKEN", undefined);
    const fault = await faultOf(client.observe([idOf(1)]));
    expect(fault).toMatchObject({ kind: "no_access" });
    expect(fault.message).toContain("YOKE_TEST_TOKEN is not set");
    expect(sent).toHaveLength(2);
  });
});

describe("case E11 secrets", () => {
  const echoing: Behaviour = ({ headers }) => ({
    status: 403,
    body: { message: `proxy refused ${headers.authorization}` },
  });

  it("are in no error, though the server repeats them", async () => {
    const { client } = await github(echoing);
    const error = await errorOf(client.observe([idOf(1)]));
    expect(error).toBeInstanceOf(GitHubError);
    expect(String(error)).toContain("[secret]");
    expect(everythingOf(error)).not.toContain(TOKEN);
  });

  it.each(["cut", "broken", "silent"] as const)(
    "are in no error of an answer that is %s",
    async (how) => {
      const { client } = await github(() => how, { timeoutMs: 150 });
      const error = await errorOf(client.dequeue({ nodeId: idOf(1) }));
      expect(error).toBeInstanceOf(GitHubError);
      expect(everythingOf(error)).not.toContain(TOKEN);
    },
  );

  it("of an App are in no error either: neither key nor installation token", async () => {
    const { client } = await github(installation(Date.now, echoing), { credential: app });
    const error = await errorOf(client.observe([idOf(1)]));
    expect(String(error)).toContain("[secret]");
    expect(everythingOf(error)).not.toContain("token-1");
    const refused = await github(echoing, { credential: app });
    const other = await errorOf(refused.client.observe([idOf(1)]));
    expect(everythingOf(other)).not.toContain(pem.split("\n")[1]);
  });

  it("are not shown by the client itself, yet are what it sends", async () => {
    const { client, sent } = await github(({ variables }) => ({
      body: { data: nodesFor(variables) },
    }));
    expect(inspect(client, { depth: 20, showHidden: true })).not.toContain(TOKEN);
    await client.observe([idOf(1)]);
    expect(sent[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });
});
