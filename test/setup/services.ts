/**
 * Services of a whole test run, each started once and only when the first test asks for it: a
 * Postgres cluster, a Temporal server in memory, the bundle of the workflows. Tests run in other
 * processes, so they ask over loopback; `database.ts`, `temporal.ts` and `bundle.ts` are their side.
 */
import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { startPostgres } from "../../src/embedded/postgres.js";
import { startTemporal } from "../../src/embedded/temporal.js";
import { findTemporal } from "../../src/embedded/temporal-binary.js";
import type { ServiceProcess } from "../../src/embedded/service-process.js";
import type { BundleService, DatabaseService, TemporalService } from "./answers.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the services of this run are asked for; empty when they are switched off. */
    readonly servicesUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env["YOKE_TEST_NO_SERVICES"] === "1") {
    project.provide("servicesUrl", "");
    return () => Promise.resolve();
  }
  const folder = await mkdtemp(join(tmpdir(), "yoke-test-"));
  // Postgres of a root user runs as another one, who must get in.
  await chmod(folder, 0o755);
  const sentinel = startSentinel(folder);
  const started: ServiceProcess[] = [];
  const keep = <T extends ServiceProcess>(service: T): T => {
    started.push(service);
    return service;
  };
  const makers: Record<string, () => Promise<unknown>> = {
    "/database": once(async () => makeDatabase(folder, keep)),
    "/temporal": once(async () => makeTemporal(folder, keep)),
    "/bundle": once(async () => makeBundle(folder)),
  };
  const server = createServer((request, response) => {
    const make = makers[request.url ?? ""];
    if (make === undefined) answer(response, 404, { error: `no service ${String(request.url)}` });
    else {
      make().then(
        (value) => answer(response, 200, value),
        (error: unknown) => answer(response, 500, { error: describe(error) }),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  project.provide("servicesUrl", `http://127.0.0.1:${String(port)}`);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await Promise.all(started.map((service) => service.stop()));
    sentinel.dismiss();
    await rm(folder, { recursive: true, force: true });
  };
}

type Keep = <T extends ServiceProcess>(service: T) => T;

/** The cluster, with a migrated database that tests copy. */
async function makeDatabase(folder: string, keep: Keep): Promise<DatabaseService> {
  const postgres = keep(
    await startPostgres({ dataDir: join(folder, "postgres"), durable: false, log: ignore }),
  );
  const { migrate } = await import("../../db/migrate.js");
  await migrate(postgres.url);
  return { templateUrl: postgres.url };
}

async function makeTemporal(folder: string, keep: Keep): Promise<TemporalService> {
  const { path } = await findTemporal({ log: (line) => process.stderr.write(`${line}\n`) });
  const namespace = "default";
  const temporal = keep(
    await startTemporal({
      dataDir: null,
      binary: path,
      headless: true,
      namespace,
      log: ignore,
      logFile: join(folder, "temporal.log"),
    }),
  );
  return { address: temporal.address, namespace };
}

/** Loaded late: the bundler alone takes most of a second. */
async function makeBundle(folder: string): Promise<BundleService> {
  const { bundleWorkflowCode, DefaultLogger } = await import("@temporalio/worker");
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL("../../workflows/index.ts", import.meta.url)),
    logger: new DefaultLogger("WARN"),
  });
  const codePath = join(folder, "workflow-bundle.js");
  await writeFile(codePath, code);
  return { codePath };
}

/**
 * A process that outlives a killed test run and ends what that left: its input closes when the run dies. Whatever has the
 * run's folder in its environment or its arguments belongs to the run.
 */
function startSentinel(folder: string): { dismiss(): void } {
  process.env["YOKE_TEST_RUN"] = folder;
  const script = `
    cat >/dev/null
    ours() { grep -lsF -- "$1" /proc/[0-9]*/environ /proc/[0-9]*/cmdline | cut -d/ -f3 | grep -vx $$; }
    kill -TERM $(ours "$1"); sleep 3; kill -KILL $(ours "$1"); rm -rf "$1"`;
  const child = spawn("/bin/sh", ["-c", script, "sh", folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  return { dismiss: () => child.kill("SIGKILL") };
}

/** The same promise for every asker; a failure is told to all of them. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function ignore(): void {
  // The logs are in the run's folder; only a fetched program is worth a line.
}
