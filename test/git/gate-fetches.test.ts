import { describe, expect, it } from "vitest";
import { GateFetches } from "../../src/git/gate-fetches.js";

describe("fetches of a gate branch", () => {
  it("A11.2 A15.6 a head is recent for five seconds from the beginning of its fetch, and then unknown", async () => {
    let now = 0;
    const fetches = new GateFetches(() => now);
    expect(fetches.recent("main")).toBeNull();
    await fetches.fetch("main", async () => {
      now += 1000;
      return "a";
    });
    expect(fetches.recent("main")).toBe("a");
    expect(fetches.recent("other")).toBeNull();
    now = 5000;
    expect(fetches.recent("main")).toBe("a");
    now = 5001;
    expect(fetches.recent("main")).toBeNull();
  });

  it("a fetch that failed leaves what was known", async () => {
    const fetches = new GateFetches(() => 0);
    await fetches.fetch("main", () => Promise.resolve("a"));
    const failed = fetches.fetch("main", () => Promise.reject(new Error("no network")));
    await expect(failed).rejects.toThrow("no network");
    expect(fetches.recent("main")).toBe("a");
  });
});
