import { describe, expect, it } from "vitest";
import kept from "./kept-seeds.json" with { type: "json" };
import { keepTemporalRuntime } from "../setup/temporal-runtime.js";
import { runSeeds } from "./seeds.js";

const few = Array.from({ length: 20 }, (_, at) => at + 1);
/** One seed again, while its fault is looked for. */
const again = process.env["YOKE_SEED"];

describe("a random run", () => {
  keepTemporalRuntime();
  it("A1.1 A4.8 A5.3 A6.1 A11.2 whatever happens on the way, everything lands once, as it was verified", async () => {
    expect(await runSeeds(again === undefined ? [...kept, ...few] : [Number(again)])).toEqual([]);
  }, 900_000);
});
