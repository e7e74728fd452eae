/** `services.json` of a data folder: where everything of the running instance is, and which processes it is made of. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseIdentity, type ProcessIdentity } from "./process-identity.js";

export const SERVICES_SCHEMA = "yoke.services/1";

export const SERVICE_NAMES = ["postgres", "temporal", "simulator", "server", "worker"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

export interface Services {
  readonly schema: typeof SERVICES_SCHEMA;
  /** Base of the HTTP interface, without a slash at the end. */
  readonly apiUrl: string;
  /** File that holds the bearer token of the HTTP interface. */
  readonly tokenFile: string;
  readonly boardUrl: string;
  /** Null for a Temporal that is not ours. */
  readonly temporalUiUrl: string | null;
  readonly temporalAddress: string;
  /** Holds the password: the file is for its owner only. */
  readonly databaseUrl: string;
  /** Only of an instance with the simulated GitHub. */
  readonly simulatorUrl?: string;
  /** Null: not part of this instance, or being started again. */
  readonly pids: Readonly<Record<ServiceName, number | null>> & { readonly supervisor: number };
  /** The same processes, so that they are known beyond doubt after a crash. */
  readonly processes: Readonly<Partial<Record<ServiceName | "supervisor", ProcessIdentity>>>;
}

export function servicesFile(dataDir: string): string {
  return join(dataDir, "services.json");
}

/**
 * What the file says; null without a file or with one of another schema. It outlives an instance
 * that was killed: `isAlive(services.processes.supervisor)` tells.
 */
export function readServices(dataDir: string): Services | null {
  let content: string;
  try {
    content = readFileSync(servicesFile(dataDir), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const services = JSON.parse(content) as Services;
  return services.schema === SERVICES_SCHEMA ? services : null;
}

/** Every process that the file names. */
export function recordedProcess(services: Services, name: ServiceName): ProcessIdentity | null {
  return parseIdentity(services.processes[name]);
}

/** Synchronous, so that no moment passes in which a process runs and is not on record. */
export function writeServices(dataDir: string, services: Services): void {
  const file = servicesFile(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(services, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function removeServices(dataDir: string): void {
  rmSync(servicesFile(dataDir), { force: true });
}

/** One line a place, aligned, for a person. No password in it. */
export function describeServices(services: Services): string[] {
  const database = new URL(services.databaseUrl);
  if (database.password !== "") database.password = "[secret]";
  const places: readonly (readonly [string, string | null | undefined])[] = [
    ["Board", services.boardUrl],
    ["API", services.apiUrl],
    ["API token", services.tokenFile],
    ["Temporal UI", services.temporalUiUrl],
    ["Temporal", services.temporalAddress],
    ["Postgres", decodeURI(database.href)],
    ["Simulated GitHub", services.simulatorUrl],
  ];
  const shown = places.filter(([, place]) => typeof place === "string");
  const width = Math.max(...shown.map(([label]) => label.length));
  return shown.map(([label, place]) => `${label.padEnd(width)}  ${String(place)}`);
}
