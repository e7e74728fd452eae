import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../src/embedded/ports.js";
import { startPostgres } from "../../src/embedded/postgres.js";
import { startTemporal } from "../../src/embedded/temporal.js";
import { findTemporal } from "../../src/embedded/temporal-binary.js";
import { migrate } from "../../db/migrate.js";

const program = fileURLToPath(new URL("../../dist/src/server/main.js", import.meta.url));
const token = "a-token-nobody-guesses";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "yoke-server-"));
  // Postgres of a root user runs as another one, who must get in.
  await chmod(path, 0o755);
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

function start(env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { PATH, HOME, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const told = text(child.stderr);
  const exit = once(child, "exit").then(([code]: unknown[]) => code);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  return { child, told, exit };
}

describe("the server's process", () => {
  it("starts while Postgres and Temporal are away, says so, and serves when they come", async () => {
    const path = await folder();
    const tokenFile = join(path, "api-token");
    await writeFile(tokenFile, `${token}\n`, { mode: 0o600 });
    const dataDir = join(path, "postgres");
    const cluster = { dataDir, durable: false, log: () => undefined };
    const made = await startPostgres(cluster);
    await made.stop();
    const [httpPort, temporalPort] = [await freePort(), await freePort()];
    const { child, told, exit } = start({
      DATABASE_URL: made.url,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
      YOKE_HTTP_PORT: String(httpPort),
      YOKE_API_TOKEN_FILE: tokenFile,
    });
    const url = `http://127.0.0.1:${httpPort}`;
    const up = () =>
      fetch(`${url}/healthz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(up, { timeout: 20_000 }).toBe(200);
    const doctor = async () => {
      const response = await fetch(`${url}/api/functions/doctor.run`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      });
      const { output } = (await response.json()) as {
        output: { checks: { name: string; state: string; text: string }[] };
      };
      return output.checks.map(({ name, state, text: said }) =>
        /^[a-z_]+:/.test(said) ? `${name}: ${said.split(":")[0] ?? ""}` : `${name}: ${state}`,
      );
    };
    expect(await doctor()).toEqual([
      "database: database_unavailable",
      "temporal: temporal_unavailable",
    ]);

    const postgres = await startPostgres({ ...cluster, port: made.port });
    onTestFinished(() => postgres.stop());
    const { path: binary } = await findTemporal({ log: () => undefined });
    const temporal = await startTemporal({
      dataDir: null,
      binary,
      port: temporalPort,
      headless: true,
      namespace: "default",
      log: () => undefined,
    });
    onTestFinished(() => temporal.stop());
    await expect
      .poll(doctor, { timeout: 30_000, interval: 250 })
      .toEqual(["database: ok", "migrations: fail", "temporal: ok", "worker yoke: no_worker"]);
    await migrate(postgres.url);
    await expect
      .poll(doctor, { timeout: 30_000, interval: 250 })
      .toEqual(["database: ok", "migrations: ok", "temporal: ok", "worker yoke: no_worker"]);

    child.kill("SIGTERM");
    const log = await told;
    expect({ exit: await exit, last: log.trim().split("\n").at(-1) }).toEqual({
      exit: 0,
      last: expect.stringContaining('"msg":"stopping"'),
    });
    expect(log).toContain('"msg":"listening"');
    expect(log).not.toContain(token);
    const { password } = new URL(made.url);
    expect(password).not.toBe("");
    expect(log).not.toContain(password);
  });

  it("refuses to start without what it needs, and names it", async () => {
    const { told, exit } = start({ YOKE_HTTP_PORT: "8470" });
    expect(await exit).toBe(4);
    const said = await told;
    expect(said).toContain("configuration_invalid: DATABASE_URL is not set.");
    expect(said).toContain("YOKE_API_TOKEN_FILE");
    expect(said).toMatch(/Next: .*yoke doctor/);
  });

  it("refuses to start with a token file that others may read", async () => {
    const path = await folder();
    const tokenFile = join(path, "api-token");
    await writeFile(tokenFile, token, { mode: 0o644 });
    const { told, exit } = start({
      DATABASE_URL: "postgresql://127.0.0.1:1/yoke",
      YOKE_HTTP_PORT: String(await freePort()),
      YOKE_API_TOKEN_FILE: tokenFile,
    });
    expect(await exit).toBe(1);
    expect(await told).toContain(`chmod 600 ${tokenFile}`);
  });
});
