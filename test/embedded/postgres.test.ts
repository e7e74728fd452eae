import { chmod, lstat, mkdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { clusterProcesses } from "../../src/embedded/postgres-orphans.js";
import { startPostgres, type RunningPostgres } from "../../src/embedded/postgres.js";
import { allEnd } from "../../src/embedded/process-identity.js";
import { temporaryFolder } from "./folder.js";

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  // The server may be killed under it; the query then says so.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function start(dataDir: string, log: string[] = []): Promise<RunningPostgres> {
  const postgres = await startPostgres({ dataDir, log: (line) => log.push(line) });
  onTestFinished(() => postgres.stop());
  return postgres;
}

async function clusterOf(dataDir: string): Promise<string> {
  return realpath(join(dataDir, "cluster"));
}

describe("the embedded Postgres", () => {
  it("listens on loopback only, wants the password, and has a UTF8 database yoke in locale C", async () => {
    const dataDir = join(await temporaryFolder(), "postgres");
    const { url, port } = await start(dataDir);
    expect(new URL(url)).toMatchObject({ hostname: "127.0.0.1", port: String(port) });
    const rows = await query(
      url,
      `select current_database() as name, pg_encoding_to_char(encoding) as encoding, datcollate as locale,
        current_setting('listen_addresses') as listens, current_setting('fsync') as fsync
        from pg_database where datname = current_database()`,
    );
    expect(rows).toEqual([
      { name: "yoke", encoding: "UTF8", locale: "C", listens: "127.0.0.1", fsync: "on" },
    ]);
    const wrong = new URL(url);
    wrong.password = "wrong";
    await expect(query(wrong.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
    expect((await stat(join(dataDir, "password"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(dataDir, "cluster", "pg_hba.conf"), "utf8")).not.toMatch(
      /^[^#]*(trust|md5)/m,
    );
  });

  it("kill -9 of the postmaster loses nothing that was committed", async () => {
    const dataDir = join(await temporaryFolder(), "postgres");
    const first = await start(dataDir);
    await query(first.url, "create table kept as select 42 as answer");
    process.kill(first.pid, "SIGKILL");
    expect(await first.exited).toBe("SIGKILL");
    const second = await start(dataDir);
    expect(second.pid).not.toBe(first.pid);
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  it("a clean stop and a start keep the data, and leave no process between", async () => {
    const dataDir = join(await temporaryFolder(), "postgres");
    const first = await start(dataDir);
    await query(first.url, "create table kept as select 1 as one");
    await first.stop();
    expect(await clusterProcesses(await clusterOf(dataDir))).toEqual([]);
    const second = await start(dataDir);
    expect(await query(second.url, "select * from kept")).toEqual([{ one: 1 }]);
  });

  it("a server that lost its owner is stopped cleanly before the next one starts", async () => {
    const dataDir = join(await temporaryFolder(), "postgres");
    const orphan = await start(dataDir);
    await query(orphan.url, "create table kept as select 7 as seven");
    const log: string[] = [];
    const next = await start(dataDir, log);
    expect(await orphan.exited).toBe("exit 0");
    expect(log).toContain(`Stopping Postgres ${String(orphan.pid)}, which lost its owner`);
    expect(await query(next.url, "select * from kept")).toEqual([{ seven: 7 }]);
  });

  it("a postmaster.pid that names a living process of another kind does not keep it from starting", async () => {
    const dataDir = join(await temporaryFolder(), "postgres");
    const first = await start(dataDir);
    const pidFile = join(await clusterOf(dataDir), "postmaster.pid");
    const written = await readFile(pidFile, "utf8");
    await first.stop();
    await writeFile(pidFile, written.replace(/^\d+/, String(process.pid)));
    const second = await start(dataDir);
    expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("a half-made cluster is made anew", async () => {
    const dataDir = join(await temporaryFolder(), "postgres");
    await mkdir(join(dataDir, "cluster.new", "base"), { recursive: true });
    const { url } = await start(dataDir);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("refuses existing files whose password is lost", async () => {
    const dataDir = join(await temporaryFolder(), "postgres");
    await (await start(dataDir)).stop();
    await rm(join(dataDir, "password"));
    await expect(start(dataDir)).rejects.toMatchObject({
      refusals: [{ code: "postgres_start_failed" }],
    });
  });

  it("the port is exactly the one asked for, and a taken one is refused", async () => {
    const folder = await temporaryFolder();
    const first = await start(join(folder, "one"));
    const log = (): void => undefined;
    await expect(
      startPostgres({ dataDir: join(folder, "two"), port: first.port, log }),
    ).rejects.toMatchObject({ refusals: [{ code: "port_in_use" }] });
    await first.stop();
    const second = await startPostgres({ dataDir: join(folder, "two"), port: first.port, log });
    onTestFinished(() => second.stop());
    expect(second.port).toBe(first.port);
    expect(await allEnd([first.identity], 0)).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)(
    "as root, a folder that Postgres' user may not enter gets its files elsewhere, and keeps them",
    async () => {
      const folder = await temporaryFolder();
      const dataDir = join(folder, "postgres");
      await chmod(folder, 0o700);
      const log: string[] = [];
      const first = await start(dataDir, log);
      const cluster = await clusterOf(dataDir);
      onTestFinished(() => rm(cluster, { recursive: true, force: true }));
      expect(cluster).toMatch(/^\/var\/lib\/yoke\/[0-9a-f]{16}$/);
      expect(log.join("\n")).toContain(cluster);
      await query(first.url, "create table kept as select 5 as five");
      process.kill(first.pid, "SIGKILL");
      await first.exited;
      // The choice was made once: a folder that can be entered later does not hide the data.
      await chmod(folder, 0o755);
      const second = await start(dataDir);
      expect(await query(second.url, "select * from kept")).toEqual([{ five: 5 }]);
      expect((await lstat(join(dataDir, "cluster"))).isSymbolicLink()).toBe(true);
    },
  );
});
