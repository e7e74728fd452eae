/**
 * Applies the SQL files of `migrations/`, forward only. Our own runner, because drizzle's migrator takes no lock, so
 * that two starters run the same file at once, and compares the journal's times only, so that a file that was merged
 * late with an earlier time is skipped for good.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import type { Executor } from "./client.js";

/** Any number that no other program on the database takes: the letters `yoke`. */
const lockKey = 0x796f6b65;

export interface SchemaDifference {
  readonly name: string;
  /** `changed`: the file is not what was applied. `unknown`: it was applied, and this version has no such file. */
  readonly why: "changed" | "unknown";
}

/** The database was migrated by another version; nothing was applied. */
export class SchemaDiffers extends Error {
  override readonly name = "SchemaDiffers";
  constructor(readonly differences: readonly SchemaDifference[]) {
    super(
      `the database was migrated by another version: ${differences.map(({ name, why }) => `${name} is ${why}`).join(", ")}`,
    );
  }
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/**
 * Brings the database to this version; the names of the files that were applied by this call come back. Any number of
 * starters may call it at once: they take turns, and each file is applied once, in one transaction with its record.
 * Throws `SchemaDiffers`, or what Postgres said with the file's name before it.
 */
export async function migrate(
  url: string,
  options: { readonly folder?: string } = {},
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(options.folder ?? migrationsFolder());
  const client = new Client({ connectionString: url, application_name: "yoke migrate" });
  // Its queries fail with the same error; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    // Of the session: it spans the transactions below, and goes with the connection when the process dies.
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    return { applied: await applyMissing(client, migrations) };
  } finally {
    await client.end();
  }
}

/** Files of this version that the database does not have yet, and where the two differ. Writes nothing. */
export async function readSchemaState(
  executor: Executor,
  options: { readonly folder?: string } = {},
): Promise<{ missing: string[]; differences: readonly SchemaDifference[] }> {
  const migrations = await readMigrations(options.folder ?? migrationsFolder());
  const known = await executor.execute<{ there: boolean }>(
    sql`select to_regclass('yoke_migrations') is not null as there`,
  );
  if (known.rows[0]?.there !== true) {
    return { missing: migrations.map(({ name }) => name), differences: [] };
  }
  const { rows } = await executor.execute<{ name: string; sha256: string }>(
    sql`select name, sha256 from yoke_migrations order by name`,
  );
  const done = new Set(rows.map(({ name }) => name));
  return {
    missing: migrations.flatMap(({ name }) => (done.has(name) ? [] : [name])),
    differences: differencesOf(rows, migrations),
  };
}

async function applyMissing(client: Client, migrations: readonly Migration[]): Promise<string[]> {
  // The one time that comes from the database: it is about the database itself.
  await client.query(
    `create table if not exists yoke_migrations (
       name text primary key, sha256 text not null, applied_at timestamptz not null default now()
     )`,
  );
  const { rows } = await client.query<{ name: string; sha256: string }>(
    "select name, sha256 from yoke_migrations order by name",
  );
  const done = new Set(rows.map(({ name }) => name));
  const differences = differencesOf(rows, migrations);
  if (differences.length > 0) throw new SchemaDiffers(differences);
  const missing = migrations.filter(({ name }) => !done.has(name));
  for (const migration of missing) await apply(client, migration);
  return missing.map(({ name }) => name);
}

function differencesOf(
  applied: readonly { readonly name: string; readonly sha256: string }[],
  migrations: readonly Migration[],
): readonly SchemaDifference[] {
  const here = new Map(migrations.map(({ name, sha256 }) => [name, sha256]));
  return applied.flatMap(({ name, sha256 }): SchemaDifference[] => {
    const now = here.get(name);
    if (now === sha256) return [];
    return [{ name, why: now === undefined ? "unknown" : "changed" }];
  });
}

async function apply(client: Client, { name, sql, sha256 }: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(sql);
    await client.query("insert into yoke_migrations (name, sha256) values ($1, $2)", [
      name,
      sha256,
    ]);
    await client.query("commit");
  } catch (error) {
    // The connection is closed by the caller, which rolls back as well when this cannot.
    await client.query("rollback").catch(() => undefined);
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`migration ${name}: ${said}`, { cause: error });
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, "utf8");
      return { name, sql, sha256: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** The SQL stays with the sources: `db/migrate.ts` has it beside itself, `dist/db/migrate.js` two folders up. */
function migrationsFolder(): string {
  const beside = fileURLToPath(new URL("./migrations", import.meta.url));
  return existsSync(beside)
    ? beside
    : fileURLToPath(new URL("../../db/migrations", import.meta.url));
}
