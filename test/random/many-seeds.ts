import { describe, expect, it } from "vitest";
import { keepTemporalRuntime } from "../setup/temporal-runtime.js";
import { runSeeds } from "./seeds.js";

const many = Array.from({ length: 200 }, (_, at) => ({ seed: at + 1, steps: 30 }));

describe("two hundred random runs", () => {
  keepTemporalRuntime();
  it("A1.1 A4.8 A5.3 A6.1 A11.2 whatever happens on the way, everything lands once, as it was verified", async () => {
    expect(await runSeeds(many)).toEqual([]);
  }, 5_400_000);
});
