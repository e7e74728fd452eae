import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  allEnd,
  identify,
  isAlive,
  parseIdentity,
  self,
  signalProcess,
  stopProcesses,
  type ProcessIdentity,
} from "../../src/embedded/process-identity.js";

/** A process that runs until it is killed; `stubborn` ones ignore SIGTERM. */
async function sleeper(stubborn = false): Promise<ProcessIdentity> {
  const script = `${stubborn ? "process.on('SIGTERM', () => {});" : ""}
    setInterval(() => {}, 60_000); process.stdout.write("up");`;
  const child = spawn(process.execPath, ["-e", script], {
    stdio: ["ignore", "pipe", "ignore"],
    env: {},
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const identity = identify(child.pid ?? 0);
  if (identity === null) throw new Error("the process ended at once");
  return identity;
}

describe("the identity of a process", () => {
  it("tells a living process from one that ended", async () => {
    const process = await sleeper();
    expect(isAlive(process)).toBe(true);
    signalProcess(process, "SIGKILL");
    expect(await allEnd([process], 5_000)).toBe(true);
    expect(isAlive(process)).toBe(false);
  });

  it("a reused pid is not the same process, and gets no signal", async () => {
    const process = await sleeper();
    const earlier = { ...process, startTime: String(Number(process.startTime) - 1) };
    expect(isAlive(earlier)).toBe(false);
    signalProcess(earlier, "SIGKILL");
    expect(await allEnd([process], 100)).toBe(false);
  });

  it("the same pid and start time of another boot is not the same process", () => {
    expect(isAlive({ ...self(), bootId: "another" })).toBe(false);
    expect(isAlive(self())).toBe(true);
  });

  it("stopping goes on to a harder signal when the first one is ignored", async () => {
    const process = await sleeper(true);
    await stopProcesses(
      [process],
      [
        ["SIGTERM", 100],
        ["SIGKILL", 5_000],
      ],
    );
    expect(isAlive(process)).toBe(false);
  });

  it("stopping says which process outlived every step", async () => {
    const process = await sleeper(true);
    await expect(stopProcesses([process], [["SIGTERM", 50]])).rejects.toThrow(String(process.pid));
  });

  it("a stored identity is read back, and nothing else is", () => {
    expect(parseIdentity(JSON.parse(JSON.stringify(self())))).toEqual(self());
    expect(parseIdentity({ pid: -1, startTime: "1", bootId: "b" })).toBeNull();
    expect(parseIdentity({ pid: 1, startTime: 1, bootId: "b" })).toBeNull();
    expect(parseIdentity("1")).toBeNull();
  });
});
