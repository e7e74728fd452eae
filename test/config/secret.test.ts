import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";

import { describe, expect, it, onTestFinished } from "vitest";

import { readSecret, redact, Secret, SecretError } from "../../src/config/secret.js";

const CANARY = "s3cr3t/canary+value";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "yoke-secret-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function secretFile(mode: number, text = `${CANARY}\n`): Promise<string> {
  const path = join(await folder(), "token");
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

describe("a secret", () => {
  it("case E11 prints as [secret] however it is printed, and reveals itself when asked", () => {
    const secret = new Secret(CANARY);
    const held = { token: secret, list: [secret] };
    const prints = [
      String(secret),
      ` ${secret.toString()} `,
      JSON.stringify(held),
      inspect(held, { depth: 9, showHidden: true, getters: true }),
      inspect(secret, { customInspect: false, showHidden: true }),
      JSON.stringify(Object.entries(secret)),
    ];
    for (const print of prints) expect(print).not.toContain("canary");
    expect(prints[0]).toBe("[secret]");
    expect(prints[2]).toBe('{"token":"[secret]","list":["[secret]"]}');
    expect(secret.reveal()).toBe(CANARY);
  });

  it("case E11 is taken out of text in every spelling it may have there", () => {
    const secret = new Secret(CANARY);
    const text = [
      CANARY,
      encodeURIComponent(CANARY),
      Buffer.from(CANARY).toString("base64"),
      `https://x:${CANARY}@host/`,
    ].join(" ");
    expect(redact(text, [secret])).toBe("[secret] [secret] [secret] https://x:[secret]@host/");
    expect(redact("nothing here", [secret])).toBe("nothing here");
    const key = new Secret("-----BEGIN\nABC\n");
    expect(redact(JSON.stringify({ key: key.reveal() }), [key])).toBe('{"key":"[secret]"}');
  });

  it("case E11 that is part of another leaves no rest of the longer one", () => {
    expect(redact("abcdef", [new Secret("abc"), new Secret("abcdef")])).toBe("[secret]");
  });
});

describe("reading a secret", () => {
  it("takes it from the environment, without the line break at its end", async () => {
    const secret = await readSecret("env:YOKE_TEST", { YOKE_TEST: `${CANARY}\r\n` });
    expect(secret.reveal()).toBe(CANARY);
    await expect(readSecret("env:YOKE_TEST", {})).rejects.toThrow(/YOKE_TEST is not set/);
    await expect(readSecret("env:YOKE_TEST", { YOKE_TEST: " \n" })).rejects.toThrow(/is empty/);
  });

  it.each([0o600, 0o400])("takes it from a file of mode %o", async (mode) => {
    expect((await readSecret(`file:${await secretFile(mode)}`)).reveal()).toBe(CANARY);
  });

  it.each([0o640, 0o604, 0o660, 0o777])(
    "refuses a file of mode %o that others may use, naming the repair",
    async (mode) => {
      const path = await secretFile(mode);
      await expect(readSecret(`file:${path}`)).rejects.toThrow(SecretError);
      await expect(readSecret(`file:${path}`)).rejects.toThrow(`chmod 600 ${path}`);
    },
  );

  it("looks at the file a link leads to, and refuses what is no file", async () => {
    const link = join(await folder(), "link");
    await symlink(await secretFile(0o644), link);
    await expect(readSecret(`file:${link}`)).rejects.toThrow(/mode 0644/);
    await expect(readSecret(`file:${await folder()}`)).rejects.toThrow(SecretError);
    await expect(readSecret("file:/nonexistent/token")).rejects.toThrow(/ENOENT/);
  });

  it("case E11 never names the value it refuses", async () => {
    const path = await secretFile(0o600, "x".repeat(70_000));
    await expect(readSecret(`file:${path}`)).rejects.toThrow(/larger than/);
  });
});
