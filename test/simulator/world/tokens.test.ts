import { createSign } from "node:crypto";

import { describe, expect, it } from "vitest";

import { aWorld, MINUTE, type AWorld } from "./a-world.js";

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function jwt(appId: number, privateKey: string, lifetimeSeconds = 300): string {
  const iat = Math.floor(Date.now() / 1000) - 5;
  const signed = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iss: appId, iat, exp: iat + lifetimeSeconds })}`;
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(privateKey, "base64url")}`;
}

async function installed(at: AWorld) {
  const { app, privateKey } = await at.world.createApp({
    name: "Yoke",
    permissions: { contents: "write", pull_requests: "write", merge_queues: "read" },
  });
  const installation = await at.world.installApp(app.id, { account: "acme" });
  return { app, privateKey, installation };
}

describe("Apps", () => {
  it("S7 a JWT signed with the App's key stands for the App, any other for nobody", async () => {
    const at = await aWorld();
    const { app, privateKey } = await installed(at);
    const other = await at.world.createApp({ name: "Other" });
    const asks = (token: string) => at.world.authenticate(`Bearer ${token}`);
    expect(asks(jwt(app.id, privateKey))).toMatchObject({ kind: "app", app: { id: app.id } });
    expect(asks(jwt(app.id, other.privateKey))).toBeNull();
    expect(asks(jwt(app.id, privateKey, 3600))).toBeNull();
    expect(asks(jwt(app.id, privateKey, 1))).toBeNull();
    expect(asks("a.b.c")).toBeNull();
    expect(JSON.stringify(at.world.apps())).not.toContain("PRIVATE KEY");
  });

  it("S7 an installation token lives one hour of the simulator's clock", async () => {
    const at = await aWorld();
    const { installation, app } = await installed(at);
    const { token, expiresAt } = await at.world.createInstallationToken(installation.id);
    expect(expiresAt).toBe("2026-03-01T13:00:00.000Z");
    const asks = () => at.world.authenticate(`token ${token}`);
    await at.world.advance(60 * MINUTE - 1);
    expect(asks()).toMatchObject({
      kind: "installation",
      actor: { login: `${app.slug}[bot]`, type: "Bot" },
      permissions: { contents: "write" },
    });
    await at.world.advance(1);
    expect(asks()).toBeNull();
  });

  it("S7 a token may have fewer rights, never more", async () => {
    const at = await aWorld();
    const { installation } = await installed(at);
    const ask = (permissions: Record<string, string>) =>
      at.world.createInstallationToken(installation.id, { permissions });
    await expect(ask({ merge_queues: "write" })).rejects.toMatchObject({ status: 422 });
    await expect(ask({ issues: "read" })).rejects.toMatchObject({ status: 422 });
    const { token } = await ask({ contents: "read" });
    const principal = at.world.authenticate(`Bearer ${token}`);
    expect(at.world.canRead(principal, at.repository)).toBe(true);
    expect(at.world.canWrite(principal, at.repository)).toBe(false);
    const full = await at.world.createInstallationToken(installation.id);
    expect(at.world.canWrite(at.world.authenticate(`Bearer ${full.token}`), at.repository)).toBe(
      true,
    );
  });

  it("S7 an installation on selected repositories, or a token for some, reaches only those", async () => {
    const at = await aWorld();
    const { app, installation } = await installed(at);
    const second = await at.world.createRepository({ owner: "acme", name: "other", private: true });
    const { token } = await at.world.createInstallationToken(installation.id, {
      repositoryIds: [second.id],
    });
    const principal = at.world.authenticate(`Bearer ${token}`);
    expect(at.world.canRead(principal, second)).toBe(true);
    expect(at.world.canRead(principal, at.repository)).toBe(false);

    await at.world.installApp(app.id, { account: "acme", repositoryIds: [at.repository.id] });
    expect(at.world.canRead(principal, second)).toBe(false);
    await expect(
      at.world.createInstallationToken(installation.id, { repositoryIds: [second.id] }),
    ).rejects.toMatchObject({ status: 422 });
  });

  it("S7 revoking, suspending and uninstalling end a token", async () => {
    const at = await aWorld();
    const { installation } = await installed(at);
    const make = async () => (await at.world.createInstallationToken(installation.id)).token;
    const alive = (token: string) => at.world.authenticate(`Bearer ${token}`) !== null;
    const [one, two] = [await make(), await make()];
    expect([alive(one), alive(two)]).toEqual([true, true]);
    expect(await at.world.revokeToken(one)).toBe(true);
    expect(await at.world.revokeToken(one)).toBe(false);
    expect([alive(one), alive(two)]).toEqual([false, true]);
    await at.world.suspendInstallation(installation.id, true);
    expect(alive(two)).toBe(false);
    await at.world.suspendInstallation(installation.id, false);
    expect(alive(two)).toBe(true);
    await at.world.deleteInstallation(installation.id);
    expect(alive(two)).toBe(false);
    await expect(make()).rejects.toMatchObject({ status: 404 });
  });
});

describe("people", () => {
  it("S7 a personal token works in every form of the header, until revoked", async () => {
    const at = await aWorld();
    const token = await at.world.createPersonalToken("robin");
    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
    const forms = [
      `Bearer ${token}`,
      `token ${token}`,
      basic(`x-access-token:${token}`),
      basic(`${token}:`),
    ];
    for (const form of forms)
      expect(at.world.authenticate(form)).toMatchObject({
        kind: "user",
        actor: { login: "robin" },
      });
    expect(at.world.authenticate("Bearer ghp_unknown")).toBeNull();
    expect(at.world.authenticate("Digest x")).toBeNull();
    await at.world.revokeToken(token);
    for (const form of forms) expect(at.world.authenticate(form)).toBeNull();
  });

  it("S7 a private repository is for those with a credential", async () => {
    const at = await aWorld();
    const secret = await at.world.createRepository({
      owner: "acme",
      name: "secret",
      private: true,
    });
    const reader = at.world.authenticate(`Bearer ${await at.world.createPersonalToken("robin")}`);
    expect(at.world.canRead(null, secret)).toBe(false);
    expect(at.world.canWrite(null, secret)).toBe(false);
    expect(at.world.canRead(reader, secret)).toBe(true);
    expect(at.world.canRead(null, at.repository)).toBe(true);
    expect(at.world.canWrite(null, at.repository)).toBe(true);
    await at.world.createUser("robin", "read");
    expect(at.world.canWrite(reader, at.repository)).toBe(false);
  });
});
