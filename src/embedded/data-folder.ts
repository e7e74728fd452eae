/** The folder of one instance: what is where in it. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { refuse } from "../core/refusals.js";
import { Refused } from "../functions/context.js";
import type { ServiceName } from "./services-file.js";

export interface DataFolder {
  readonly path: string;
  readonly postgres: string;
  readonly temporal: string;
  readonly simulator: string;
  readonly tokenFile: string;
  readonly portsFile: string;
  logFile(name: ServiceName): string;
}

/** Names only; nothing is made. */
export function dataFolder(path: string): DataFolder {
  return {
    path,
    postgres: join(path, "postgres"),
    temporal: join(path, "temporal"),
    simulator: join(path, "simulator"),
    tokenFile: join(path, "api-token"),
    portsFile: join(path, "ports.json"),
    logFile: (name) => join(path, "logs", `${name}.log`),
  };
}

/** Makes the folder. Throws `Refused` with `data_folder_unusable`. */
export async function prepareDataFolder(path: string): Promise<DataFolder> {
  try {
    await mkdir(join(path, "logs"), { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refused([refuse("data_folder_unusable", reason, { folder: path })]);
  }
  return dataFolder(path);
}

/** The bearer token of the HTTP interface, made once a data folder and readable for its owner only. */
export async function ensureToken({ tokenFile }: DataFolder): Promise<void> {
  const present = await readFile(tokenFile, "utf8").catch(() => "");
  if (present.trim() !== "") return;
  await writeFile(`${tokenFile}.new`, `${randomBytes(32).toString("base64url")}\n`, {
    mode: 0o600,
  });
  await rename(`${tokenFile}.new`, tokenFile);
}
