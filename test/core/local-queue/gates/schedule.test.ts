import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  beginNow,
  type Resources,
  type WaitingGate,
} from "../../../../src/core/local-queue/gates/schedule.js";

const host: Resources = { cpuWeight: 4, memoryMb: 8000, diskMb: 10_000, processSlots: 4 };

function gate(name: string, needs: Partial<Resources> = {}, stage = 0): WaitingGate {
  const little = { cpuWeight: 1, memoryMb: 100, diskMb: 100, processSlots: 1 };
  return { name, stage, needs: { ...little, ...needs } };
}

const begun = (waiting: readonly WaitingGate[], running: readonly WaitingGate[] = []) =>
  beginNow(waiting, running, host).map(({ name }) => name);

describe("gates side by side", () => {
  it("C2.8 run together while cores, memory, disk and slots suffice", () => {
    expect(begun([gate("a"), gate("b"), gate("c")])).toEqual(["a", "b", "c"]);
    expect(begun([gate("a", { cpuWeight: 3 }), gate("b", { cpuWeight: 2 })])).toEqual(["a"]);
    expect(begun([gate("a", { memoryMb: 5000 }), gate("b", { memoryMb: 5000 })])).toEqual(["a"]);
    expect(begun([gate("a", { diskMb: 9950 }), gate("b")])).toEqual(["a"]);
    expect(begun([gate("b")], [gate("a", { processSlots: 4 })])).toEqual([]);
  });

  it("C2.8 one that needs more than the host has runs alone, and nobody overtakes it", () => {
    const big = gate("big", { memoryMb: 90_000 });
    expect(begun([big, gate("a")])).toEqual(["big"]);
    expect(begun([big, gate("b")], [gate("a")])).toEqual([]);
  });

  it("C2.2 C2.8 a stage begins when the one before it is through", () => {
    const waiting = [gate("smoke"), gate("unit", {}, 1)];
    expect(begun(waiting)).toEqual(["smoke"]);
    expect(begun([gate("unit", {}, 1)], [gate("smoke")])).toEqual([]);
    expect(begun([gate("unit", {}, 1)])).toEqual(["unit"]);
  });

  it("C2.8 whatever is declared, what runs fits, and something runs", () => {
    const amount = fc.integer({ min: 0, max: 6 });
    const gates = fc.array(
      fc.record({
        name: fc.string(),
        stage: fc.constant(0),
        needs: fc.record({
          cpuWeight: amount,
          memoryMb: fc.integer({ min: 0, max: 9000 }),
          diskMb: amount,
          processSlots: amount,
        }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(gates, (waiting) => {
        const together = beginNow(waiting, [], host);
        expect(together.length).toBeGreaterThan(0);
        const memory = together.reduce((sum, { needs }) => sum + needs.memoryMb, 0);
        expect(together.length === 1 || memory <= host.memoryMb).toBe(true);
      }),
    );
  });
});
