import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, watch } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client as Database } from "pg";
import { Client, Connection } from "@temporalio/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { runDown } from "../../src/embedded/down.js";
import { instanceHolder } from "../../src/embedded/instance.js";
import { allEnd, isAlive, type ProcessIdentity } from "../../src/embedded/process-identity.js";
import { freePort } from "../../src/embedded/ports.js";
import { findProcesses } from "../../src/embedded/processes.js";
import { readServices, type Services } from "../../src/embedded/services-file.js";
import { freshDatabase } from "../setup/database.js";
import { testTemporal } from "../setup/temporal.js";
import { temporaryFolder } from "./folder.js";

interface Up {
  readonly child: ChildProcess;
  /** First line of stdout: `ready`, or the refusals as JSON. */
  readonly said: Promise<string>;
  /** All of stderr, once it ended. */
  readonly told: Promise<string>;
  readonly exit: Promise<number | null>;
}

interface UpRequest {
  readonly dataDir: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly server?: string;
  readonly simulator?: boolean;
}

function up({ dataDir, env = {}, server = "serve.mjs", simulator = false }: UpRequest): Up {
  const script = fileURLToPath(new URL("programs/up.mjs", import.meta.url));
  const { PATH, HOME, XDG_CACHE_HOME } = process.env;
  const child = spawn(process.execPath, [script, dataDir, server, simulator ? "simulator" : ""], {
    env: { PATH, HOME, XDG_CACHE_HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit").then(([code]: unknown[]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await exit;
    await runDown({ dataDir, log: () => undefined });
  });
  const lines = createInterface({ input: child.stdout });
  const said = Promise.race([
    once(lines, "line").then(([line]: unknown[]) => String(line)),
    exit.then((code) => `ended with ${String(code)}`),
  ]);
  return { child, said, told: text(child.stderr), exit };
}

async function ready(request: UpRequest): Promise<Up & { readonly services: Services }> {
  const started = up(request);
  const said = await started.said;
  if (said !== "ready") throw new Error(`${said}: ${await started.told}`);
  return { ...started, services: servicesOf(request.dataDir) };
}

function servicesOf(dataDir: string): Services {
  const services = readServices(dataDir);
  if (services === null) throw new Error("no services.json");
  return services;
}

/** Resolves once `services.json` says what is awaited: told by the file system, no polling. */
async function untilServices(
  dataDir: string,
  holds: (services: Services) => boolean,
): Promise<Services> {
  const changes = watch(dataDir);
  try {
    for (;;) {
      const services = readServices(dataDir);
      if (services !== null && holds(services)) return services;
      await once(changes, "change");
    }
  } finally {
    changes.close();
  }
}

function processesOf(services: Services): ProcessIdentity[] {
  return Object.values(services.processes);
}

async function answer(url: string): Promise<{
  readonly pid: number;
  readonly environment: Record<string, string>;
  readonly args: readonly string[];
}> {
  return (await (await fetch(url)).json()) as Awaited<ReturnType<typeof answer>>;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Database({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function withTemporal<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

describe("yoke up", () => {
  it("starts everything, says where it is, and leaves nothing behind at a clean stop", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const { child, services, exit, told } = await ready({ dataDir, simulator: true });
    expect(services).toMatchObject({ schema: "yoke.services/1", pids: { supervisor: child.pid } });
    expect(Object.values(services.pids)).not.toContain(null);
    expect(await answer(services.apiUrl)).toMatchObject({
      pid: services.pids.server,
      environment: {
        DATABASE_URL: services.databaseUrl,
        TEMPORAL_ADDRESS: services.temporalAddress,
        YOKE_DATA_DIR: dataDir,
        YOKE_API_TOKEN_FILE: services.tokenFile,
      },
    });
    expect(await answer(String(services.simulatorUrl))).toMatchObject({
      pid: services.pids.simulator,
      args: ["--data", join(dataDir, "simulator"), "--port", expect.any(String)],
    });
    expect((await fetch(String(services.temporalUiUrl))).status).toBe(200);
    for (const file of [services.tokenFile, join(dataDir, "services.json")]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
    expect(processesOf(services).filter(isAlive)).toEqual([]);
    expect(await findProcesses(({ args }) => args.some((arg) => arg.startsWith(dataDir)))).toEqual(
      [],
    );
    expect(existsSync(join(dataDir, "services.json"))).toBe(false);
    expect((await readdir(dataDir)).filter((name) => name.startsWith("instance."))).toEqual([]);
    const output = await told;
    expect(output).toContain(services.apiUrl);
    expect(output).not.toContain(new URL(services.databaseUrl).password);
    expect(output).not.toContain((await readFile(services.tokenFile, "utf8")).trim());
  });

  it("killed with -9, the next run stops the orphans and keeps data, workflows, token and addresses", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const first = await ready({ dataDir });
    const before = first.services;
    const token = readFileSync(before.tokenFile, "utf8");
    await query(before.databaseUrl, "create table kept as select 42 as answer");
    await withTemporal(before.temporalAddress, (client) =>
      client.workflow.start("anything", { taskQueue: "nobody", workflowId: "open" }),
    );
    first.child.kill("SIGKILL");
    await first.exit;
    const orphans = processesOf(before).filter(({ pid }) => pid !== first.child.pid);
    expect(orphans.every(isAlive)).toBe(true);
    const { services } = await ready({ dataDir });
    expect(await allEnd(orphans, 0)).toBe(true);
    const { pids: _pids, processes: _processes, ...places } = services;
    expect(before).toMatchObject(places);
    expect(readFileSync(services.tokenFile, "utf8")).toBe(token);
    expect(await query(services.databaseUrl, "select * from kept")).toEqual([{ answer: 42 }]);
    const state = await withTemporal(services.temporalAddress, async (client) => {
      return (await client.workflow.getHandle("open").describe()).status.name;
    });
    expect(state).toBe("RUNNING");
  });

  it("whatever is killed is started again, on the same addresses, and services.json says so", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    let { services } = await ready({ dataDir });
    for (const name of ["server", "worker", "postgres", "temporal"] as const) {
      const before = services;
      const killed = before.pids[name];
      if (killed === null) throw new Error(`no ${name}`);
      process.kill(killed, "SIGKILL");
      services = await untilServices(dataDir, ({ pids }) => {
        return pids[name] !== null && pids[name] !== killed;
      });
      const { pids, processes, ...places } = services;
      expect(before).toMatchObject(places);
      expect({ ...pids, [name]: killed }).toEqual(before.pids);
      expect(processes[name]?.pid).toBe(pids[name]);
    }
    expect(await query(services.databaseUrl, "select 1 as one")).toEqual([{ one: 1 }]);
    await withTemporal(services.temporalAddress, () => Promise.resolve());
  });

  it("a database that cannot be reached is refused by its host, without the password", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const { address } = await testTemporal();
    const env = { DATABASE_URL: "postgres://me:hush@127.0.0.1:1/yoke", TEMPORAL_ADDRESS: address };
    const { said, told } = up({ dataDir, env });
    expect(JSON.parse(await said)).toMatchObject([
      { code: "database_unavailable", seen: { host: "127.0.0.1:1" } },
    ]);
    expect((await said) + (await told)).not.toContain("hush");
  });

  it("a second instance on the folder is refused, one on another folder is not", async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder, "one");
    const first = await ready({ dataDir });
    const second = up({ dataDir });
    expect(JSON.parse(await second.said)).toMatchObject([
      { code: "instance_running", seen: { pid: String(first.child.pid), folder: dataDir } },
    ]);
    expect(await second.exit).toBe(2);
    expect(processesOf(first.services).every(isAlive)).toBe(true);
    const other = await ready({ dataDir: join(folder, "two") });
    expect(other.services.apiUrl).not.toBe(first.services.apiUrl);
    expect(await answer(other.services.apiUrl)).toMatchObject({ pid: other.services.pids.server });
  });

  it("DATABASE_URL and TEMPORAL_ADDRESS each take the place of the embedded one", async () => {
    const folder = await temporaryFolder();
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const { address } = await testTemporal();
    const outside = await ready({
      dataDir: join(folder, "both"),
      env: { DATABASE_URL: database.url, TEMPORAL_ADDRESS: address },
    });
    expect(outside.services).toMatchObject({
      databaseUrl: database.url,
      temporalAddress: address,
      temporalUiUrl: null,
      pids: { postgres: null, temporal: null },
    });
    expect(await answer(outside.services.apiUrl)).toMatchObject({
      environment: { DATABASE_URL: database.url, TEMPORAL_ADDRESS: address },
    });
    const half = await ready({
      dataDir: join(folder, "half"),
      env: { DATABASE_URL: database.url },
    });
    expect(half.services.pids).toMatchObject({ postgres: null, temporal: expect.any(Number) });
    expect(existsSync(join(folder, "half", "postgres"))).toBe(false);
  });

  it("takes another port where the one of the last run is taken", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const first = await ready({ dataDir });
    const port = Number(new URL(first.services.apiUrl).port);
    first.child.kill("SIGINT");
    expect(await first.exit).toBe(0);
    const squatter = await listen(port);
    const second = await ready({ dataDir });
    expect(new URL(second.services.apiUrl).port).not.toBe(String(port));
    expect(second.services.temporalAddress).toBe(first.services.temporalAddress);
    squatter.close();
  });

  it("two that start in the same moment on the same ports both come up, each on its own", async () => {
    const folder = await temporaryFolder();
    const wanted = {
      http: await freePort(),
      temporal: await freePort(),
      temporalUi: await freePort(),
      postgres: await freePort(),
      simulator: await freePort(),
    };
    const dataDirs = [join(folder, "one"), join(folder, "two")];
    for (const dataDir of dataDirs) {
      await mkdir(dataDir);
      await writeFile(join(dataDir, "ports.json"), JSON.stringify(wanted));
    }
    const instances = await Promise.all(
      dataDirs.map((dataDir) => ready({ dataDir, simulator: true })),
    );
    for (const { services } of instances) {
      expect(await query(services.databaseUrl, "select 1 as one")).toEqual([{ one: 1 }]);
      await withTemporal(services.temporalAddress, () => Promise.resolve());
      expect(await answer(services.apiUrl)).toMatchObject({ pid: services.pids.server });
      expect(await answer(String(services.simulatorUrl))).toMatchObject({
        pid: services.pids.simulator,
      });
      expect((await fetch(String(services.temporalUiUrl))).status).toBe(200);
    }
  });

  it("a server that never comes up is refused with its last words, and nothing is left", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const { said, exit } = up({ dataDir, server: "broken.mjs" });
    expect(JSON.parse(await said)).toMatchObject([
      {
        code: "service_start_failed",
        message: expect.stringContaining("no such table: lanes"),
        seen: { log: join(dataDir, "logs", "server.log") },
      },
    ]);
    expect(await exit).toBe(2);
    expect(await instanceHolder(dataDir)).toBeNull();
    expect(existsSync(join(dataDir, "services.json"))).toBe(false);
    expect(await findProcesses(({ args }) => args.some((arg) => arg.startsWith(dataDir)))).toEqual(
      [],
    );
  });
});

describe("yoke down", () => {
  it("stops the instance of the folder and waits for its end", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const { child, services } = await ready({ dataDir });
    expect(await runDown({ dataDir, log: () => undefined })).toEqual({
      state: "stopped",
      pid: child.pid,
    });
    expect(processesOf(services).filter(isAlive)).toEqual([]);
  });

  it("clears up after a killed instance, and says that none was running", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const { child, services, exit } = await ready({ dataDir });
    child.kill("SIGKILL");
    await exit;
    expect(await runDown({ dataDir, log: () => undefined })).toEqual({ state: "not_running" });
    expect(processesOf(services).filter(isAlive)).toEqual([]);
    expect(existsSync(join(dataDir, "services.json"))).toBe(false);
  });
});

async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
