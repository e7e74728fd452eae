/** `yoke down`: stops the instance of a data folder, or what a killed one left. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { dataFolder } from "./data-folder.js";
import { instanceHolder, lockInstance } from "./instance.js";
import { clearLeftovers } from "./leftovers.js";
import type { Log } from "./log.js";
import { allEnd, signalProcess } from "./process-identity.js";

/** All layers of an instance together, each at its own bound. */
const STOPPED_WITHIN_MS = 90_000;

export type DownResult =
  | { readonly state: "stopped"; readonly pid: number }
  /** Nothing was running as an instance; leftovers of a killed one are gone now. */
  | { readonly state: "not_running" }
  /** Told to stop, and still stopping. */
  | { readonly state: "still_stopping"; readonly pid: number };

export async function runDown(options: {
  readonly dataDir: string;
  readonly log: Log;
}): Promise<DownResult> {
  const path = resolve(options.dataDir);
  if (!existsSync(path)) return { state: "not_running" };
  const holder = await instanceHolder(path);
  if (holder !== null) {
    signalProcess(holder, "SIGTERM");
    const ended = await allEnd([holder], STOPPED_WITHIN_MS);
    return { state: ended ? "stopped" : "still_stopping", pid: holder.pid };
  }
  const lock = await lockInstance(path);
  try {
    await clearLeftovers(dataFolder(path), options.log);
  } finally {
    await lock.release();
  }
  return { state: "not_running" };
}
