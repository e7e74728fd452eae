/**
 * Recorded histories: `test/histories/<version>/<name>.json.gz`, each one run of one workflow as protobuf JSON of
 * `temporal.api.history.v1.History`, which Temporal's own tools read too.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { historyFromJSON, historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import type { Recorded } from "../checkers/replays.js";
import { withoutMachine, type MachineWords } from "./without-machine.js";

const folder = fileURLToPath(new URL("../histories", import.meta.url));
const ending = ".json.gz";

/** Every recorded history, named `<version>/<name>`. */
export async function recordedHistories(): Promise<Recorded[]> {
  const all: Recorded[] = [];
  for (const version of (await readdir(folder)).sort()) {
    for (const file of (await readdir(join(folder, version))).sort()) {
      const text = gunzipSync(await readFile(join(folder, version, file))).toString("utf8");
      all.push({
        workflowId: `${version}/${file.slice(0, -ending.length)}`,
        history: historyFromJSON(JSON.parse(text)),
      });
    }
  }
  return all;
}

/** Writes one history, without the words of the machine that it was recorded on. */
export async function writeHistory(
  of: { readonly version: string; readonly name: string },
  history: Recorded["history"],
  words: MachineWords,
): Promise<void> {
  const clean = withoutMachine(JSON.parse(historyToJSON(history)), words);
  await mkdir(join(folder, of.version), { recursive: true });
  const text = JSON.stringify(clean);
  await writeFile(join(folder, of.version, `${of.name}${ending}`), gzipSync(text, { level: 9 }));
}

/** Versions that have histories. */
export async function recordedVersions(): Promise<string[]> {
  return (await readdir(folder)).sort();
}
