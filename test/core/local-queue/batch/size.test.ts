import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchSize } from "../../../../src/core/local-queue/batch/size.js";

describe("the size of a batch", () => {
  it("C4.11 follows the measured failure rate when it is auto; a declared number stands", () => {
    expect(batchSize(8, { judged: 100, failed: 100 })).toBe(8);
    expect(batchSize("auto", { judged: 0, failed: 0 })).toBe(6);
    expect(batchSize("auto", { judged: 90, failed: 0 })).toBe(64);
    expect(batchSize("auto", { judged: 90, failed: 4 })).toBe(13);
    expect(batchSize("auto", { judged: 90, failed: 44 })).toBe(1);
    expect(batchSize("auto", { judged: 90, failed: 90 })).toBe(1);
  });

  it("C4.11 never grows by a failure", () => {
    const count = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(count, count, (one, other) => {
        const [failed, judged] = [Math.min(one, other), Math.max(one, other)];
        const before = batchSize("auto", { judged, failed });
        expect(batchSize("auto", { judged: judged + 1, failed: failed + 1 })).toBeLessThanOrEqual(
          before,
        );
        expect(before).toBeGreaterThanOrEqual(1);
        expect(before).toBeLessThanOrEqual(64);
      }),
    );
  });
});
