/** The connection to Postgres, and what repository functions run on. */
import { drizzle, type NodePgQueryResultHKT } from "drizzle-orm/node-postgres";
import type { PgDatabase } from "drizzle-orm/pg-core";
import { Pool } from "pg";

export { isUnavailable, violated } from "./faults.js";

/** A database, or a transaction on it: what every repository function takes first. */
export type Executor = PgDatabase<NodePgQueryResultHKT>;

export interface Database {
  readonly executor: Executor;
  /** Waits for what runs, then closes the connections. */
  close(): Promise<void>;
}

/** Milliseconds. The server ends a statement first, so that the client's limit means a server that is gone. */
const statementTimeout = 30_000;
const queryTimeout = statementTimeout + 5_000;
/** A transaction whose process stopped working on it gives its locks back. */
const idleInTransactionTimeout = 60_000;
const connectTimeout = 10_000;

/**
 * Opens a pool; nothing is connected before the first query. A restart of Postgres fails what ran at that moment (see
 * `isUnavailable`) and nothing else: the next query opens a new connection (case E04). `max` is the number of
 * connections at once, 10 by default.
 */
export function connect(url: string, options: { readonly max?: number } = {}): Database {
  const pool = new Pool({
    connectionString: url,
    application_name: "yoke",
    max: options.max ?? 10,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    query_timeout: queryTimeout,
    idle_in_transaction_session_timeout: idleInTransactionTimeout,
  });
  // Connections break: idle ones, which the pool drops, and ones in use between two queries, whose next query fails.
  // Both are also emitted as `error`, which ends the process when nobody listens.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return { executor: drizzle(pool), close: () => pool.end() };
}

/**
 * Runs `fn` in one transaction: all of it is kept, or nothing. Inside another transaction it is a savepoint of that.
 * Use this and not drizzle's own `transaction`, which on a broken connection loses it from the pool for good and
 * replaces the error that broke it by that of its rollback.
 */
export async function inTransaction<T>(
  executor: Executor,
  fn: (transaction: Executor) => Promise<T>,
): Promise<T> {
  const pool = poolOf(executor);
  const outcome: { thrown?: { readonly error: unknown } } = {};
  const run = async (transaction: Executor): Promise<T> => {
    try {
      return await fn(transaction);
    } catch (error) {
      outcome.thrown = { error };
      throw error;
    }
  };
  const client = await pool?.connect();
  let broken = true;
  try {
    const result = await (client === undefined ? executor : drizzle(client)).transaction(run);
    broken = false;
    return result;
  } catch (error) {
    const { thrown } = outcome;
    broken = thrown?.error !== error;
    throw thrown === undefined ? error : thrown.error;
  } finally {
    // A connection that could neither commit nor roll back is not used again.
    client?.release(broken);
  }
}

/** Only a database has its pool as `$client`; a transaction has none. */
function poolOf(executor: Executor): Pool | null {
  return "$client" in executor && executor.$client instanceof Pool ? executor.$client : null;
}
