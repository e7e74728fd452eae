/** What a killed instance left running on a data folder. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { DataFolder } from "./data-folder.js";
import type { Log } from "./log.js";
import { clearOrphans } from "./postgres-orphans.js";
import { isAlive, stopProcesses, type StopStep } from "./process-identity.js";
import {
  readServices,
  recordedProcess,
  removeServices,
  type ServiceName,
} from "./services-file.js";
import { clearTemporalOrphans } from "./temporal.js";

const STEPS: readonly StopStep[] = [
  ["SIGTERM", 15_000],
  ["SIGKILL", 2_000],
];
const OURS: readonly ServiceName[] = ["worker", "server", "simulator"];

/**
 * Stops it all and removes `services.json`. For the holder of the folder's instance lock only. Our own
 * programs are known by their record (pid, start time, boot), Postgres and Temporal by the data they run on.
 */
export async function clearLeftovers(folder: DataFolder, log: Log): Promise<void> {
  const services = readServices(folder.path);
  for (const name of OURS) {
    const identity = services === null ? null : recordedProcess(services, name);
    if (identity === null || !isAlive(identity)) continue;
    log(`Stopping ${name} ${String(identity.pid)}, which lost its owner`);
    await stopProcesses([identity], STEPS);
  }
  await clearTemporalOrphans(folder.temporal, log);
  const cluster = await realpath(join(folder.postgres, "cluster")).catch(() => null);
  if (cluster !== null) await clearOrphans(cluster, log);
  removeServices(folder.path);
}
