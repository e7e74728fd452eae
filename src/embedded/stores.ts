/** The two stores an instance stands on: ours, or those that the environment names. */
import type { DataFolder } from "./data-folder.js";
import type { Log } from "./log.js";
import { startPostgres } from "./postgres.js";
import type { ServiceProcess } from "./service-process.js";
import type { Ports } from "./stable-ports.js";
import { supervise, type Supervised } from "./supervise.js";
import { startTemporal } from "./temporal.js";
import { findTemporal } from "./temporal-binary.js";

/** The embedded server makes it; an outside one has it from the environment. */
const NAMESPACE = "default";

export interface StoreOptions {
  readonly folder: DataFolder;
  readonly ports: Ports;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly started: (name: "postgres" | "temporal", process: ServiceProcess) => void;
  readonly stop: AbortSignal;
}

export interface DatabaseStore {
  readonly url: string;
  /** Null when DATABASE_URL names it. */
  readonly service: Supervised<ServiceProcess> | null;
}

/** Restarts keep the port and the password, so the URL stays good. */
export async function openDatabase(options: StoreOptions): Promise<DatabaseStore> {
  const { folder, log } = options;
  const given = options.env["DATABASE_URL"];
  if (given !== undefined && given !== "") return { url: given, service: null };
  const service = await supervise({
    name: "postgres",
    log,
    started: (process) => options.started("postgres", process),
    start: () =>
      startPostgres({
        dataDir: folder.postgres,
        port: options.ports.postgres,
        logFile: folder.logFile("postgres"),
        log,
      }),
  });
  return { url: service.first.url, service };
}

export interface TemporalStore {
  readonly address: string;
  readonly uiUrl: string | null;
  /** What the programs need beside the address. */
  readonly env: NodeJS.ProcessEnv;
  /** Null when TEMPORAL_ADDRESS names it. */
  readonly service: Supervised<ServiceProcess> | null;
}

export async function openTemporal(options: StoreOptions): Promise<TemporalStore> {
  const { env, folder, log, ports } = options;
  const given = env["TEMPORAL_ADDRESS"];
  if (given !== undefined && given !== "") {
    return { address: given, uiUrl: null, env: {}, service: null };
  }
  const binary = await findTemporal({ log, env, signal: options.stop });
  const service = await supervise({
    name: "temporal",
    log,
    started: (process) => options.started("temporal", process),
    start: () =>
      startTemporal({
        dataDir: folder.temporal,
        binary: binary.path,
        port: ports.temporal,
        uiPort: ports.temporalUi,
        headless: false,
        namespace: NAMESPACE,
        logFile: folder.logFile("temporal"),
        log,
      }),
  });
  const { address, uiUrl } = service.first;
  return { address, uiUrl, env: { TEMPORAL_NAMESPACE: NAMESPACE }, service };
}
