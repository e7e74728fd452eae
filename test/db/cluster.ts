/** A Postgres of its own for a test file. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll } from "vitest";
import { connect, type Database } from "../../db/client.js";
import { migrate } from "../../db/migrate.js";
import { startPostgres, type RunningPostgres } from "../../src/embedded/postgres.js";

export interface Cluster {
  /** Of the database `yoke`, empty at first. */
  readonly url: string;
  /** Makes an empty database and gives its URL. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
  /** On the port it had. */
  start(): Promise<void>;
  /** Stops it and deletes its files. */
  remove(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const dataDir = await mkdtemp(join(tmpdir(), "yoke-db-"));
  // Postgres runs as another user when the tests run as root.
  await chmod(dataDir, 0o755);
  const start = (port?: number): Promise<RunningPostgres> =>
    startPostgres({
      dataDir,
      log: () => undefined,
      durable: false,
      ...(port === undefined ? {} : { port }),
    });
  let running = await start();
  const { url, port } = running;
  return {
    url,
    createDatabase: async (name) => {
      await query(url, `create database ${name}`);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    stop: () => running.stop(),
    start: async () => {
      running = await start(port);
    },
    remove: async () => {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs SQL on a connection of its own. */
export async function query<Row extends object>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** A migrated database for the tests of the file; read its members inside tests only. */
export function withDatabase(): { readonly url: string; readonly db: Database["executor"] } {
  let cluster: Cluster | undefined;
  let database: Database | undefined;
  beforeAll(async () => {
    cluster = await startCluster();
    await migrate(cluster.url);
    database = connect(cluster.url, { max: 25 });
  });
  afterAll(async () => {
    await database?.close();
    await cluster?.remove();
  });
  const ready = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error("the cluster did not start");
    return value;
  };
  return {
    get url() {
      return ready(cluster).url;
    },
    get db() {
      return ready(database).executor;
    },
  };
}
