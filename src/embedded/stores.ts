/** The two stores an instance stands on: ours, or those that the environment names. */
import { refuse } from "../core/refusals.js";
import { Refused } from "../functions/context.js";
import type { DataFolder } from "./data-folder.js";
import type { Log } from "./log.js";
import { startPostgres } from "./postgres.js";
import type { ServiceProcess } from "./service-process.js";
import type { InstancePorts } from "./stable-ports.js";
import { supervise, type Supervised } from "./supervise.js";
import { startTemporal } from "./temporal.js";
import { findTemporal } from "./temporal-binary.js";

/** The embedded server makes it; an outside one has it from the environment. */
const NAMESPACE = "default";

/** What the programs need beside the address. Set to nothing is unset: the embedded server wants no credentials. */
const EMBEDDED: NodeJS.ProcessEnv = {
  TEMPORAL_NAMESPACE: NAMESPACE,
  TEMPORAL_TLS_CERT: "",
  TEMPORAL_TLS_KEY: "",
  TEMPORAL_API_KEY: "",
  TEMPORAL_API_KEY_FILE: "",
};

export interface StoreOptions {
  readonly folder: DataFolder;
  readonly ports: InstancePorts;
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
  const { folder, log, ports } = options;
  const given = options.env["DATABASE_URL"]?.trim() ?? "";
  if (given !== "") return { url: given, service: null };
  const service = await ports.starting(["postgres"], () =>
    supervise({
      name: "postgres",
      log,
      started: (process) => options.started("postgres", process),
      start: () =>
        startPostgres({
          dataDir: folder.postgres,
          port: ports.of("postgres"),
          logFile: folder.logFile("postgres"),
          log,
        }),
    }),
  );
  return { url: service.first.url, service };
}

/**
 * Brings the database to this version. Throws `Refused` with `database_schema_differs` or
 * `database_unavailable`.
 */
export async function prepareDatabase(url: string): Promise<void> {
  const { migrate, SchemaDiffers } = await import("../../db/migrate.js");
  const { isUnavailable } = await import("../../db/faults.js");
  try {
    await migrate(url);
  } catch (error) {
    if (error instanceof SchemaDiffers) {
      throw new Refused([refuse("database_schema_differs", error.message)]);
    }
    if (!isUnavailable(error) && !isTurnedAway(error)) throw error;
    const { host } = new URL(url);
    // An error about several addresses has a code and no words.
    const said = error instanceof Error && error.message !== "" ? error.message : codeOf(error);
    throw new Refused([refuse("database_unavailable", `${host}: ${said}.`, { host })]);
  }
}

/** SQLSTATE class 28 (user or password) and 3D (no such database): the URL is wrong. */
function isTurnedAway(error: unknown): boolean {
  return /^(28|3D)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export interface TemporalStore {
  readonly address: string;
  readonly uiUrl: string | null;
  /** For the programs, beside the address. */
  readonly env: NodeJS.ProcessEnv;
  /** Null when TEMPORAL_ADDRESS names it. */
  readonly service: Supervised<ServiceProcess> | null;
}

export async function openTemporal(options: StoreOptions): Promise<TemporalStore> {
  const { env, folder, log, ports } = options;
  const given = env["TEMPORAL_ADDRESS"]?.trim() ?? "";
  if (given !== "") {
    return { address: given, uiUrl: null, env: {}, service: null };
  }
  const binary = await findTemporal({ log, env, signal: options.stop });
  const service = await ports.starting(["temporal", "temporalUi"], () =>
    supervise({
      name: "temporal",
      log,
      started: (process) => options.started("temporal", process),
      start: () =>
        startTemporal({
          dataDir: folder.temporal,
          binary: binary.path,
          port: ports.of("temporal"),
          uiPort: ports.of("temporalUi"),
          headless: false,
          namespace: NAMESPACE,
          logFile: folder.logFile("temporal"),
          log,
        }),
    }),
  );
  const { address, uiUrl } = service.first;
  return { address, uiUrl, env: EMBEDDED, service };
}
