import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { expect, it, onTestFinished } from "vitest";

import { SimulatorAdmin } from "../../../src/simulator/wire/admin-client.js";

/** As compiled by `npm run build`, which `npm test` runs first. */
const PROGRAM = fileURLToPath(new URL("../../../dist/src/simulator/wire/main.js", import.meta.url));

it("S1 the process says where it is in one line of JSON, and ends on SIGTERM with its state written", async () => {
  const folder = await mkdtemp(join(tmpdir(), "simulated-github-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [PROGRAM, "--data", folder, "--clock", "stepped"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url, apiUrl } = JSON.parse(line) as { url: string; apiUrl: string };
  expect(apiUrl).toBe(`${url}/api/v3`);
  const admin = new SimulatorAdmin(url);
  expect((await admin.clock()).kind).toBe("stepped");
  await admin.createUser("robin");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await readFile(join(folder, "world.json"), "utf8")).toContain("robin");
});

it("S1 the process says how it is started when it is started otherwise", async () => {
  const child = spawn(process.execPath, [PROGRAM, "--clock", "sundial"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  expect(await once(child, "close")).toEqual([1, null]);
  expect(said).toMatch(/^usage: /);
});
