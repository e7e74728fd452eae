import { describe, expect, it } from "vitest";
import { createCoalescer } from "../../src/server/coalesce.js";

describe("coalescing (case E07)", () => {
  it("what is touched while a signal is under way goes together in the next one", async () => {
    const sent: (readonly number[])[] = [];
    const gates: (() => void)[] = [];
    const coalescer = createCoalescer({
      windowMs: 0,
      send: (_project, numbers) => {
        sent.push(numbers);
        return new Promise((resolve) => gates.push(resolve));
      },
    });
    const first = coalescer.add("YOK", [3, 1]);
    await expect.poll(() => sent).toEqual([[1, 3]]);
    const later = [
      coalescer.add("YOK", [2]),
      coalescer.add("YOK", [5, 2]),
      coalescer.add("YOK", []),
    ];
    gates[0]?.();
    await first;
    await expect
      .poll(() => sent)
      .toEqual([
        [1, 3],
        [2, 5],
      ]);
    gates[1]?.();
    await Promise.all(later);
    expect(sent).toHaveLength(2);
  });

  it("case E07 a project has one signal under way at most, however long it takes: it never counts as failed meanwhile", async () => {
    const sent: (readonly number[])[] = [];
    const gates: (() => void)[] = [];
    const coalescer = createCoalescer({
      windowMs: 0,
      send: (project, numbers) => {
        if (project === "OTHER") return Promise.resolve();
        sent.push(numbers);
        return new Promise((resolve) => gates.push(resolve));
      },
    });
    const first = coalescer.add("YOK", [1]);
    await expect.poll(() => sent).toEqual([[1]]);
    const second = coalescer.add("YOK", [2]);
    // Another project's whole turn, window included, passes; this one's second signal still waits.
    await coalescer.add("OTHER", [1]);
    await coalescer.add("OTHER", [2]);
    expect(sent).toEqual([[1]]);
    gates[0]?.();
    await first;
    await expect.poll(() => sent).toEqual([[1], [2]]);
    gates[1]?.();
    await second;
  });

  it("a project never waits for another one's signal", async () => {
    const sent: string[] = [];
    const coalescer = createCoalescer({
      windowMs: 0,
      send: (project) => {
        sent.push(project);
        return project === "SLOW" ? new Promise(() => undefined) : Promise.resolve();
      },
    });
    void coalescer.add("SLOW", [1]);
    await coalescer.add("FAST", [1]);
    expect(sent).toEqual(["SLOW", "FAST"]);
  });

  it("a signal that fails fails those it carried and nobody else", async () => {
    let fail = true;
    const coalescer = createCoalescer({
      windowMs: 0,
      send: () => (fail ? Promise.reject(new Error("away")) : Promise.resolve()),
    });
    await expect(coalescer.add("YOK", [1])).rejects.toThrow("away");
    fail = false;
    await coalescer.add("YOK", [1]);
  });

  it("A15.6 what is not urgent rides along with what is, and goes by itself when nothing is", async () => {
    const sent: (readonly number[])[] = [];
    const send = async (_project: string, numbers: readonly number[]): Promise<void> => {
      sent.push(numbers);
    };
    const patient = createCoalescer({ windowMs: 0, patienceMs: 3_600_000, send });
    const rider = patient.add("YOK", [2], { urgent: false });
    const urgent = patient.add("YOK", [1], { urgent: true });
    await Promise.all([rider, urgent]);
    expect(sent).toEqual([[1, 2]]);
    const impatient = createCoalescer({ windowMs: 0, patienceMs: 1, send });
    await impatient.add("YOK", [3], { urgent: false });
    expect(sent).toEqual([[1, 2], [3]]);
  });
});
