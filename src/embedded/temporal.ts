/** The Temporal development server on this machine: in memory, or on one file. */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { refuse } from "../core/refusals.js";
import { Refused } from "../functions/context.js";
import { lastLines } from "./log-file.js";
import type { Log } from "./log.js";
import { onChosenPort, portTaken } from "./port-taken.js";
import { freePort, untilListens } from "./ports.js";
import { stopProcesses, type StopStep } from "./process-identity.js";
import { findProcesses } from "./processes.js";
import { startProcess, type ServiceProcess } from "./service-process.js";

/** What makes the list of workflows in Temporal's web UI readable (design.md "Workflows are small"). */
const SEARCH_ATTRIBUTES = [
  "YokeProject=Keyword",
  "YokeItem=Keyword",
  "YokePullRequest=Int",
  "YokeState=Keyword",
];

/** Its own shutdown takes 1.1 to 1.4 s, always. */
const STOP_STEPS: readonly StopStep[] = [
  ["SIGTERM", 10_000],
  ["SIGKILL", 2_000],
];
const READY_WITHIN_MS = 60_000;
/** Its inner services choose ports of their own in the same way, and end the server when they come second. */
const ATTEMPTS = 5;

export interface TemporalOptions {
  /** Holds the database file; the caller holds the instance lock above it. Null: in memory, lost at the end. */
  readonly dataDir: string | null;
  /** The `temporal` program. */
  readonly binary: string;
  /** Exactly this port. Default: a free one. */
  readonly port?: number;
  readonly uiPort?: number;
  /** Without the web UI. */
  readonly headless: boolean;
  readonly namespace: string;
  readonly log: Log;
  /** Default: `temporal.log` in the data folder; nowhere without one. */
  readonly logFile?: string;
}

export interface RunningTemporal extends ServiceProcess {
  readonly address: string;
  readonly port: number;
  readonly uiPort: number | null;
  readonly uiUrl: string | null;
}

/**
 * Starts the server and resolves once the namespace answers. Workflows on a file survive the SIGKILL
 * of the server and of its starter. Throws `Refused` with `service_start_failed`, or `port_in_use`.
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const file = await databaseFile(options);
  const logFile =
    options.logFile ??
    (options.dataDir === null ? "/dev/null" : join(options.dataDir, "temporal.log"));
  const startOn = async ({ port, uiPort }: TemporalPorts): Promise<RunningTemporal> => {
    for (let attempt = 1; ; attempt += 1) {
      const server = await startProcess({
        program: options.binary,
        args: argumentsOf(options.namespace, port, uiPort, file),
        env: process.env,
        logFile,
        stopSteps: STOP_STEPS,
      });
      const address = `127.0.0.1:${String(port)}`;
      if (await becomesReady(server, port, options.namespace, logFile)) {
        const uiUrl = uiPort === null ? null : `http://127.0.0.1:${String(uiPort)}`;
        return { ...server, address, port, uiPort, uiUrl };
      }
      const taken = await portTaken(port, uiPort);
      if (taken !== null) throw taken;
      if (attempt < ATTEMPTS) continue;
      const how = await server.exited;
      throw unavailable(`Temporal ended (${how}): ${await lastLines(logFile, 3)}`, logFile);
    }
  };
  const { port, uiPort, headless } = options;
  return onChosenPort(
    async () => ({
      port: port ?? (await freePort()),
      uiPort: headless ? null : (uiPort ?? (await freePort())),
    }),
    startOn,
  );
}

interface TemporalPorts {
  readonly port: number;
  /** Null: no web UI. */
  readonly uiPort: number | null;
}

function argumentsOf(
  namespace: string,
  port: number,
  uiPort: number | null,
  file: string | null,
): string[] {
  const args = ["server", "start-dev", "--ip", "127.0.0.1", "--port", String(port)];
  args.push("--namespace", namespace, "--log-level", "error");
  if (uiPort === null) args.push("--headless");
  else args.push("--ui-port", String(uiPort));
  if (file !== null) {
    args.push("--db-filename", file);
    // A write-ahead log makes the file 1.3 to 1.9 times as fast as the default rollback journal.
    args.push("--sqlite-pragma", "journal_mode=wal", "--sqlite-pragma", "synchronous=normal");
  }
  for (const attribute of SEARCH_ATTRIBUTES) args.push("--search-attribute", attribute);
  return args;
}

/** The file, with no server on it. */
async function databaseFile({ dataDir, log }: TemporalOptions): Promise<string | null> {
  if (dataDir === null) return null;
  await mkdir(dataDir, { recursive: true });
  await clearTemporalOrphans(dataDir, log);
  return fileIn(await realpath(dataDir));
}

function fileIn(dataDir: string): string {
  return join(dataDir, "temporal.db");
}

/**
 * Stops a server that lost its owner; it is known by the file in its arguments. For the holder of the
 * instance lock above `dataDir` only.
 */
export async function clearTemporalOrphans(dataDir: string, log: Log): Promise<void> {
  const folder = await realpath(dataDir).catch(() => null);
  if (folder === null) return;
  const file = fileIn(folder);
  const orphans = await findProcesses(
    ({ args }) => args.includes("start-dev") && args[args.indexOf("--db-filename") + 1] === file,
  );
  for (const orphan of orphans) {
    log(`Stopping Temporal ${String(orphan.pid)}, which lost its owner`);
  }
  await stopProcesses(orphans, STOP_STEPS);
}

/** False when the server ended first. */
async function becomesReady(
  server: ServiceProcess,
  port: number,
  namespace: string,
  logFile: string,
): Promise<boolean> {
  const address = `127.0.0.1:${String(port)}`;
  const late = AbortSignal.timeout(READY_WITHIN_MS);
  const over = AbortSignal.any([server.ended, late]);
  try {
    await untilListens(() => server.pid, port, over);
    await untilNamespaceAnswers(address, namespace, over);
    return true;
  } catch (error) {
    if (server.ended.aborted) return false;
    await server.stop();
    if (!late.aborted) throw error;
    throw unavailable(`Temporal at ${address} was not ready in time.`, logFile);
  }
}

/** Loaded late: the client is heavy, and only a start needs it. */
async function untilNamespaceAnswers(
  address: string,
  namespace: string,
  signal: AbortSignal,
): Promise<void> {
  const { Connection } = await import("@temporalio/client");
  for (;;) {
    signal.throwIfAborted();
    try {
      const connection = await Connection.connect({ address, connectTimeout: 5_000 });
      try {
        await connection.workflowService.describeNamespace({ namespace });
        return;
      } finally {
        await connection.close();
      }
    } catch {
      // It accepts connections a moment before it answers; a server that never does runs into `signal`.
      await delay(50);
    }
  }
}

function unavailable(message: string, log: string): Refused {
  return new Refused([refuse("service_start_failed", message, { service: "temporal", log })]);
}
