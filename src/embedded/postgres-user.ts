/**
 * The user that Postgres runs as. It refuses to run as root (its own rule, not ours), so root needs
 * an unprivileged one; everybody else is that user already.
 */
import { runCommand, lastLine } from "./command.js";
import { postgresStartFailed } from "./postgres-refusal.js";

export interface ProcessUser {
  readonly uid: number;
  readonly gid: number;
}

const NAME = "postgres";

/** The user to start Postgres as; null for the present one. As root, makes the system user `postgres` when there is none. */
export async function postgresUser(): Promise<ProcessUser | null> {
  if (process.getuid?.() !== 0) return null;
  const existing = await lookUp();
  if (existing !== null) return existing;
  const made = await runCommand("useradd", [
    "--system",
    "--user-group",
    "--no-create-home",
    "--shell",
    "/usr/sbin/nologin",
    NAME,
  ]);
  const user = await lookUp();
  if (user !== null) return user;
  throw postgresStartFailed(
    `Postgres does not run as root, and the user ${NAME} could not be made: ${lastLine(made.stderr)}`,
  );
}

async function lookUp(): Promise<ProcessUser | null> {
  const [uid, gid] = await Promise.all([
    runCommand("id", ["-u", NAME]),
    runCommand("id", ["-g", NAME]),
  ]);
  if (uid.code !== 0 || gid.code !== 0) return null;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Asked of the system as that user, since groups, access lists and mounts all have a say. */
export async function canReach(user: ProcessUser, path: string): Promise<boolean> {
  const asked = await runCommand("/bin/sh", ["-c", 'test -x "$1"', "sh", path], { user });
  return asked.code === 0;
}
