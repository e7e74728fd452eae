/** Where the files of the embedded Postgres are, and how they are first made. */
import { createHash, randomBytes } from "node:crypto";
import {
  access,
  chown,
  lstat,
  mkdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { lastLine, runCommand } from "./command.js";
import type { Log } from "./log.js";
import { SYSTEM_FOLDER, type PostgresPrograms } from "./postgres-programs.js";
import { postgresStartFailed } from "./postgres-refusal.js";
import { canReach, type ProcessUser } from "./postgres-user.js";

export const DATABASE = "yoke";
export const SUPERUSER = "yoke";

export interface Cluster {
  /** The real path of PGDATA. */
  readonly folder: string;
  readonly password: string;
}

export interface ClusterOptions {
  readonly dataDir: string;
  readonly programs: PostgresPrograms;
  readonly user: ProcessUser | null;
  /** False for data that may be lost: initdb then does not wait for the disk. */
  readonly durable: boolean;
  readonly log: Log;
}

/**
 * The cluster of `dataDir`, made when there is none. It is made beside its place and renamed at the
 * end, so a cluster that exists is complete. Throws `Refused` with `postgres_start_failed`.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, user, log } = options;
  await mkdir(dataDir, { recursive: true });
  const folder = await chooseFolder(await realpath(dataDir), user, log);
  const exists = await isThere(join(folder, "PG_VERSION"));
  const password = await passwordOf(dataDir, exists);
  if (!exists) await initialise(folder, password, options);
  return { folder: await realpath(folder), password };
}

/**
 * Normally `cluster` in the data folder. When the unprivileged user cannot search every parent of
 * it, a folder of the system, and `cluster` is a link to that, so that the choice is made once.
 */
async function chooseFolder(dataDir: string, user: ProcessUser | null, log: Log): Promise<string> {
  const place = join(dataDir, "cluster");
  const present = await lstat(place).catch(() => null);
  const target = systemFolder(dataDir);
  if (present?.isSymbolicLink() === true) {
    const linked = await readlink(place);
    if (linked === target) return target;
    throw postgresStartFailed(
      `${dataDir} was moved or copied from where its Postgres files in ${linked} belong to. To keep them, move them to ${target} and make ${place} a link to that.`,
    );
  }
  if (user === null || (await canReach(user, dataDir))) return place;
  if (present !== null) {
    throw postgresStartFailed(
      `The user that runs Postgres (uid ${String(user.uid)}) can no longer search the folders above ${place}.`,
    );
  }
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  await setAside(target, log);
  await symlink(target, place);
  log(`Postgres may not enter ${dataDir}, so its files are in ${target}`);
  return target;
}

function systemFolder(dataDir: string): string {
  return join(SYSTEM_FOLDER, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));
}

/** A cluster without a link to it belonged to a data folder of the same name that was deleted. */
async function setAside(target: string, log: Log): Promise<void> {
  if (!(await isThere(target))) return;
  const aside = `${target}.left-${randomBytes(4).toString("hex")}`;
  await rename(target, aside);
  log(`Files of a deleted data folder were moved to ${aside}`);
}

async function passwordOf(dataDir: string, clusterExists: boolean): Promise<string> {
  const file = join(dataDir, "password");
  const stored = await readFile(file, "utf8").catch(() => null);
  if (stored !== null) return stored.trim();
  if (clusterExists) {
    throw postgresStartFailed(`${file}, the password of the existing Postgres files, is missing.`);
  }
  const password = randomBytes(24).toString("base64url");
  await writeFile(file, `${password}\n`, { mode: 0o600, flag: "wx" });
  return password;
}

async function initialise(
  folder: string,
  password: string,
  options: ClusterOptions,
): Promise<void> {
  const scratch = `${folder}.new`;
  const passwordFile = `${folder}.password`;
  const { user } = options;
  await rm(scratch, { recursive: true, force: true });
  await rm(passwordFile, { force: true });
  try {
    await mkdir(scratch, { mode: 0o700 });
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: "wx" });
    if (user !== null) {
      await chown(scratch, user.uid, user.gid);
      await chown(passwordFile, user.uid, user.gid);
    }
    options.log("Making the Postgres files (once)");
    // prettier-ignore
    const flags = ["--pgdata", scratch, "--username", SUPERUSER, "--pwfile", passwordFile,
      "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C",
      ...(options.durable ? [] : ["--no-sync"])];
    const made = await runCommand(options.programs.initdb, flags, {
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" },
      ...(user === null ? {} : { user }),
    });
    if (made.code !== 0) {
      throw postgresStartFailed(`initdb failed: ${lastLine(made.stderr) || String(made.code)}`);
    }
    await rename(scratch, folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
