import { describe, expect, it } from "vitest";
import { sharedRuns } from "../../src/git/shared-runs.js";

/** A run that ends when it is told to. */
function controlled() {
  const ends: ((value: string) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const run = () =>
    new Promise<string>((resolve, reject) => {
      ends.push(resolve);
      failures.push(reject);
    });
  return { run, ends, failures };
}

describe("runs that are shared", () => {
  it("A11.2 whoever asks while one is under way gets the next one, which all of them share", async () => {
    const { run, ends } = controlled();
    const share = sharedRuns<string>();
    const first = share("main", run);
    const second = share("main", run);
    const third = share("main", run);
    expect(ends).toHaveLength(1);
    ends[0]?.("before they asked");
    expect(await first).toBe("before they asked");
    await expect.poll(() => ends).toHaveLength(2);
    ends[1]?.("after they asked");
    expect(await Promise.all([second, third])).toEqual(["after they asked", "after they asked"]);
    const fourth = share("main", run);
    ends[2]?.("alone");
    expect(await fourth).toBe("alone");
  });

  it("another key waits for nobody, and a failure is told to its own askers only", async () => {
    const { run, ends, failures } = controlled();
    const share = sharedRuns<string>();
    const first = share("main", run);
    const next = share("main", run);
    const other = share("release", run);
    expect(ends).toHaveLength(2);
    failures[0]?.(new Error("no network"));
    await expect(first).rejects.toThrow("no network");
    await expect.poll(() => ends).toHaveLength(3);
    ends[1]?.("other");
    ends[2]?.("next");
    expect(await Promise.all([other, next])).toEqual(["other", "next"]);
  });
});
