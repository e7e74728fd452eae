import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isAlive } from "../../src/embedded/process-identity.js";
import { readServices } from "../../src/embedded/services-file.js";
import { yokeCommand } from "./command.js";

const program = fileURLToPath(new URL("../../dist/src/cli/main.cjs", import.meta.url));

it("yoke up whose terminal went away still stops everything it started", async () => {
  const folder = mkdtempSync(join(tmpdir(), "yoke-up-"));
  chmodSync(folder, 0o755);
  const dataDir = join(folder, "data");
  const up = spawn(process.execPath, [program, "up", "--data-dir", dataDir], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let talk = "";
  await new Promise<void>((resolve, reject) => {
    up.once("exit", () => reject(new Error(`yoke up ended: ${talk}`)));
    up.stderr.on("data", (chunk: Buffer) => {
      talk += chunk.toString("utf8");
      if (/^Postgres {2}/m.test(talk)) resolve();
    });
  });
  const processes = Object.values(readServices(dataDir)?.processes ?? {});
  expect(processes.length).toBeGreaterThan(3);
  const ended = once(up, "exit");
  up.stderr.destroy();
  expect(await yokeCommand(["down", "--data-dir", dataDir])).toMatchObject({
    code: 0,
    stdout: "stopped\n",
  });
  await ended;
  expect(processes.filter((one) => isAlive(one))).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});
