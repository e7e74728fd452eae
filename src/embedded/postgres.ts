/** Postgres on this machine, for one data folder: loopback only, password by SCRAM, UTF8, locale C. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lastLines } from "./log-file.js";
import type { Log } from "./log.js";
import { onChosenPort, portTaken } from "./port-taken.js";
import { freePort } from "./ports.js";
import { DATABASE, openCluster, SUPERUSER, type Cluster } from "./postgres-cluster.js";
import { clearOrphans } from "./postgres-orphans.js";
import { postgresPrograms } from "./postgres-programs.js";
import { postgresStartFailed } from "./postgres-refusal.js";
import { postgresUser } from "./postgres-user.js";
import { startProcess, type ServiceProcess } from "./service-process.js";

/** Crash recovery replays the log since the last checkpoint, which takes its time on a slow disk. */
const READY_WITHIN_MS = 300_000;

export interface PostgresOptions {
  /** Holds the cluster, its password and its log. The caller holds the instance lock above it. */
  readonly dataDir: string;
  readonly log: Log;
  /** Exactly this port. Default: a free one. */
  readonly port?: number;
  /** Default: `postgres.log` in the data folder. */
  readonly logFile?: string;
  /** False for data that may be lost with the machine (tests): no fsync. Default true. */
  readonly durable?: boolean;
}

export interface RunningPostgres extends ServiceProcess {
  /** Of database `yoke`, with the password in it. */
  readonly url: string;
  readonly port: number;
}

/**
 * Starts Postgres on the data folder, made on first use. Survives the SIGKILL of Postgres and of its
 * starter: what was committed is there, a stale `postmaster.pid` is removed and a server that lost its
 * owner is stopped, both by proof. Throws `Refused` with `postgres_start_failed`, or `port_in_use`.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const durable = options.durable ?? true;
  const user = await postgresUser();
  const programs = await postgresPrograms(user);
  const cluster = await openCluster({ ...options, durable, user, programs });
  await clearOrphans(cluster.folder, options.log);
  const logFile = options.logFile ?? join(options.dataDir, "postgres.log");
  const startOn = async (port: number): Promise<RunningPostgres> => {
    const server = await startProcess({
      program: programs.postgres,
      args: ["-D", cluster.folder, ...settings(port, durable)],
      // Nothing of ours: PGDATA, PGPORT and friends would win over the files.
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" },
      ...(user === null ? {} : { user }),
      logFile,
      // Fast shutdown, then immediate (which the next start recovers from), then the end.
      stopSteps: [
        ["SIGINT", 10_000],
        ["SIGQUIT", 5_000],
        ["SIGKILL", 2_000],
      ],
    });
    if (await becomesReady(server, cluster)) {
      return { ...server, port, url: await ensureDatabase(cluster, port) };
    }
    const said = await lastLines(logFile, 3);
    throw (
      (await portTaken(port)) ??
      postgresStartFailed(`Postgres on ${cluster.folder} ended (${await server.exited}): ${said}`)
    );
  };
  return options.port === undefined
    ? onChosenPort(() => freePort(), startOn)
    : startOn(options.port);
}

function settings(port: number, durable: boolean): string[] {
  const values = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    log_timezone: "UTC",
    timezone: "UTC",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** As pg_ctl does it: the postmaster writes its state into line 8 of `postmaster.pid`. False when it ended first. */
async function becomesReady(server: ServiceProcess, cluster: Cluster): Promise<boolean> {
  const deadline = performance.now() + READY_WITHIN_MS;
  const pidFile = join(cluster.folder, "postmaster.pid");
  while (!server.ended.aborted) {
    const lines = (await readFile(pidFile, "utf8").catch(() => "")).split("\n");
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === "ready") return true;
    if (performance.now() > deadline) {
      await server.stop();
      throw postgresStartFailed(
        `Postgres on ${cluster.folder} was not ready within ${String(READY_WITHIN_MS / 1000)} s.`,
      );
    }
    await delay(10);
  }
  return false;
}

/** Loaded late: only a start needs the driver. */
async function ensureDatabase(cluster: Cluster, port: number): Promise<string> {
  const { Client } = await import("pg");
  const urlOf = (database: string): string =>
    `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${String(port)}/${database}`;
  const client = new Client({ connectionString: urlOf("postgres") });
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
  return urlOf(DATABASE);
}
