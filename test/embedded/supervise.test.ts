import { describe, expect, it } from "vitest";
import { self } from "../../src/embedded/process-identity.js";
import type { ServiceProcess } from "../../src/embedded/service-process.js";
import { supervise } from "../../src/embedded/supervise.js";

interface Fake extends ServiceProcess {
  /** Ends it, as a crash would. */
  crash(): void;
  stopped: boolean;
}

function fake(pid: number): Fake {
  const ended = new AbortController();
  let resolve: (how: string) => void;
  const exited = new Promise<string>((done) => {
    resolve = done;
  });
  const end = (how: string): void => {
    ended.abort();
    resolve(how);
  };
  const service: Fake = {
    pid,
    identity: { ...self(), pid },
    exited,
    ended: ended.signal,
    stopped: false,
    crash: () => end("SIGKILL"),
    stop: async () => {
      service.stopped = true;
      end("exit 0");
      await exited;
    },
  };
  return service;
}

/** A service of fakes; `next()` resolves with each process as it starts. */
function service(fails: (attempt: number) => boolean = () => false) {
  const waiting: ((process: Fake) => void)[] = [];
  const log: string[] = [];
  let attempts = 0;
  const options = {
    name: "worker",
    log: (line: string) => log.push(line),
    start: () => {
      attempts += 1;
      return fails(attempts)
        ? Promise.reject(new Error(`attempt ${String(attempts)}`))
        : Promise.resolve(fake(attempts));
    },
    started: (process: Fake) => waiting.shift()?.(process),
  };
  return {
    options,
    log,
    attempts: () => attempts,
    next: async () => new Promise<Fake>((resolve) => waiting.push(resolve)),
  };
}

describe("the supervisor of one service", () => {
  it("starts a service again after each end, with a longer pause each time", async () => {
    const { options, log, next } = service();
    const supervised = await supervise(options);
    const second = next();
    supervised.first.crash();
    const third = next();
    (await second).crash();
    expect((await third).pid).toBe(3);
    expect(log).toEqual([
      "worker ended (SIGKILL); starting it again in 0.2 s",
      "worker ended (SIGKILL); starting it again in 0.4 s",
    ]);
    await supervised.stop();
    expect((await third).stopped).toBe(true);
  });

  it("goes on when a restart fails, and says why it failed", async () => {
    const { options, log, next } = service((attempt) => attempt === 2);
    const supervised = await supervise(options);
    const restarted = next();
    supervised.first.crash();
    expect((await restarted).pid).toBe(3);
    expect(log).toContain("worker did not start: attempt 2");
    await supervised.stop();
  });

  it("a first start that fails is the caller's to tell", async () => {
    await expect(supervise(service(() => true).options)).rejects.toThrow("attempt 1");
  });

  it("a stop in the pause ends the restarts", async () => {
    const { options, attempts } = service();
    const supervised = await supervise(options);
    supervised.first.crash();
    await supervised.first.exited;
    await supervised.stop();
    expect(attempts()).toBe(1);
  });

  it("an end during the stop is not a crash", async () => {
    const { options, log } = service();
    const supervised = await supervise(options);
    await supervised.stop();
    expect(supervised.first.stopped).toBe(true);
    expect(log).toEqual([]);
  });
});
