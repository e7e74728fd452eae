import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { isAlive } from "../../src/embedded/process-identity.js";
import { readServices } from "../../src/embedded/services-file.js";
import { startYoke, yokeCommand } from "./command.js";

const program = fileURLToPath(new URL("../../dist/src/cli/main.cjs", import.meta.url));

function instanceFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "yoke-up-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "data");
}

it("yoke up --json says on stdout where everything is, once it answers, and yoke down --json how it ended", async () => {
  const dataDir = instanceFolder();
  const up = startYoke(["up", "--simulator", "--json", "--data-dir", dataDir]);
  onTestFinished(async () => {
    await yokeCommand(["down", "--data-dir", dataDir]);
  });
  const document = JSON.parse(await up.printed()) as {
    readonly urls: Readonly<Record<string, string>>;
    readonly pids: Readonly<Record<string, number>>;
  };
  const services = readServices(dataDir);
  if (services === null) throw new Error("no services.json");
  const portOf = (url: string | null | undefined) => Number(new URL(String(url)).port);
  expect(document).toEqual({
    schema: "yoke.up/1",
    ok: true,
    exit: 0,
    dataDir,
    urls: {
      api: services.apiUrl,
      board: services.boardUrl,
      temporalUi: services.temporalUiUrl,
      simulator: services.simulatorUrl,
    },
    temporalAddress: services.temporalAddress,
    tokenFile: services.tokenFile,
    ports: {
      http: portOf(services.apiUrl),
      temporal: portOf(`http://${services.temporalAddress}`),
      temporalUi: portOf(services.temporalUiUrl),
      postgres: portOf(services.databaseUrl),
      simulator: portOf(services.simulatorUrl),
    },
    pids: services.pids,
  });
  expect((await fetch(`${document.urls["api"]}/healthz`)).status).toBe(200);
  const second = await yokeCommand(["up", "--json", "--data-dir", dataDir]);
  expect(JSON.parse(second.stdout)).toMatchObject({
    schema: "yoke.up/1",
    ok: false,
    refusals: [{ code: "instance_running" }],
  });
  const supervisor = document.pids["supervisor"];
  const down = ["down", "--json", "--data-dir", dataDir];
  expect(JSON.parse((await yokeCommand(down)).stdout)).toEqual({
    schema: "yoke.down/1",
    ok: true,
    exit: 0,
    dataDir,
    state: "stopped",
    pid: supervisor,
  });
  const { code, stdout } = await up.ended;
  expect(code).toBe(0);
  expect(stdout.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse((await yokeCommand(down)).stdout)).toMatchObject({ state: "not_running" });
});

it("yoke up whose terminal went away still stops everything it started", async () => {
  const dataDir = instanceFolder();
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
});
