import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { Refused } from "../../src/functions/context.js";
import { instanceHolder, lockInstance } from "../../src/embedded/instance.js";
import { identify, self, type ProcessIdentity } from "../../src/embedded/process-identity.js";
import { temporaryFolder } from "./folder.js";

async function otherProcess(): Promise<ProcessIdentity> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 60_000)"], { env: {} });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const identity = identify(child.pid ?? 0);
  if (identity === null) throw new Error("the process ended at once");
  return identity;
}

/** The lock as another process would leave it. */
async function leaveLock(folder: string, holder: ProcessIdentity, held: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `instance.${String(holder.pid)}-${holder.startTime}.lock`);
  await writeFile(file, JSON.stringify({ ...holder, held }));
}

async function refusalOf(attempt: Promise<unknown>) {
  const error: unknown = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refused)) throw new Error(`not refused: ${String(error)}`);
  return error.refusals[0];
}

describe("one instance a data folder", () => {
  it("refuses a folder that a live process holds, naming pid and folder", async () => {
    const folder = await temporaryFolder();
    const other = await otherProcess();
    await leaveLock(folder, other, true);
    expect(await refusalOf(lockInstance(folder))).toMatchObject({
      code: "instance_running",
      seen: { pid: String(other.pid), folder },
    });
    expect(await instanceHolder(folder)).toEqual(other);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it("takes a free folder, gives it back, and takes it again", async () => {
    const folder = join(await temporaryFolder(), "new");
    for (let time = 0; time < 2; time += 1) {
      const lock = await lockInstance(folder);
      expect(await instanceHolder(folder)).toEqual(self());
      await lock.release();
      expect(await instanceHolder(folder)).toBeNull();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it("refuses a second lock of the same process", async () => {
    const folder = await temporaryFolder();
    const lock = await lockInstance(folder);
    expect(await refusalOf(lockInstance(folder))).toMatchObject({ code: "instance_running" });
    expect(await instanceHolder(folder)).toEqual(self());
    await lock.release();
  });

  it.each([
    ["whose pid is another process now", { startTime: "1" }],
    ["of an earlier boot", { bootId: "00000000-0000-0000-0000-000000000000" }],
    ["whose process is gone", { pid: 4_194_303 }],
  ])("takes over the lock of a holder %s", async (_what, difference) => {
    const folder = await temporaryFolder();
    await leaveLock(folder, { ...(await otherProcess()), ...difference }, true);
    expect(await instanceHolder(folder)).toBeNull();
    const lock = await lockInstance(folder);
    expect(await readdir(folder)).toHaveLength(1);
    await lock.release();
  });

  it("of two that start at once the older one waits until the younger one gave way", async () => {
    const folder = await temporaryFolder();
    const younger = await otherProcess();

    await leaveLock(folder, younger, false);
    const waiting = lockInstance(folder);
    process.kill(younger.pid, "SIGKILL");
    const lock = await waiting;
    expect(await instanceHolder(folder)).toEqual(self());
    await lock.release();
  });

  it("a file of that name that is no lock is not overwritten", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "instance.1-1.lock"), "?");
    await expect(lockInstance(folder)).rejects.toThrow("is not a lock file");
  });
});
