/** Postgres processes that outlived whoever started them, on one data folder. */
import { readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Log } from "./log.js";
import { stopProcesses, type ProcessIdentity } from "./process-identity.js";
import { findProcesses } from "./processes.js";

/**
 * Every process of the cluster. Each runs inside PGDATA (the postmaster changes into it and its
 * children inherit that), which is proof enough, and more than the pid in `postmaster.pid` is.
 */
export async function clusterProcesses(folder: string): Promise<ProcessIdentity[]> {
  return findProcesses(
    ({ cwd, program }) => cwd === folder && program !== null && basename(program) === "postgres",
  );
}

/**
 * Leaves the cluster without processes and without a `postmaster.pid`. To be called by the holder of the folder's
 * instance lock only: a server found then has lost its owner. A living postmaster is asked for a
 * fast shutdown; children whose postmaster was killed end by themselves as soon as they notice.
 */
export async function clearOrphans(folder: string, log: Log): Promise<void> {
  const orphans = await clusterProcesses(folder);
  const pidFile = join(folder, "postmaster.pid");
  const written = await readFile(pidFile, "utf8").catch(() => null);
  if (orphans.length > 0) {
    const recorded = Number(written?.split("\n")[0]);
    const postmaster = orphans.find(({ pid }) => pid === recorded);
    log(
      postmaster === undefined
        ? "Waiting for the remains of a killed Postgres to end"
        : `Stopping Postgres ${String(postmaster.pid)}, which lost its owner`,
    );
    if (postmaster !== undefined) {
      await stopProcesses(
        [postmaster],
        [
          ["SIGINT", 15_000],
          ["SIGQUIT", 5_000],
          ["SIGKILL", 2_000],
        ],
      );
    }
    await stopProcesses(await clusterProcesses(folder), [
      [null, 5_000],
      ["SIGQUIT", 5_000],
      ["SIGKILL", 2_000],
    ]);
  }
  // Postgres would refuse to start if that pid were any other process of the same user by now.
  if (written !== null) await rm(pidFile, { force: true });
}
