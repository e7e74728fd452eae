import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cycleRefusal,
  dependencyGate,
  findCycle,
} from "../../../src/core/landing/dependency-gate.js";

describe("the dependency gate", () => {
  it("A3.1 is clear when every predecessor landed, and when there is none", () => {
    expect(dependencyGate("YOK-7", [])).toEqual({ clear: true });
    expect(dependencyGate("YOK-7", [{ item: "YOK-1", title: "A", status: "landed" }])).toEqual({
      clear: true,
    });
  });

  it.each(["open", "landing"] as const)("A3.2 is blocked by a predecessor that is %s", (status) => {
    const gate = dependencyGate("YOK-7", [{ item: "YOK-1", title: "A", status }]);
    expect(gate).toMatchObject({
      clear: false,
      refusal: { code: "integration_dependency_blocked", exit: 2, seen: { "YOK-1": status } },
    });
  });
});

describe("circles of dependencies", () => {
  const chain = [
    { item: "B", after: "A" },
    { item: "C", after: "B" },
  ];

  it("A3.2 a dependency that closes a circle is found with its path", () => {
    const path = findCycle(chain, "A", "C");
    expect(path).toEqual(["A", "C", "B", "A"]);
    expect(cycleRefusal(path ?? [])).toMatchObject({ code: "dependency_cycle" });
    expect(cycleRefusal(path ?? []).message).toContain("A → C → B → A");
  });

  it("A3.2 an item cannot wait for itself", () => {
    expect(findCycle([], "A", "A")).toEqual(["A", "A"]);
  });

  it("A3.2 its twin: two ways to the same predecessor are no circle", () => {
    expect(findCycle(chain, "C", "A")).toBeNull();
    expect(findCycle(chain, "D", "C")).toBeNull();
  });

  it("A3.2 what findCycle lets through never closes a circle", () => {
    const names = fc.constantFrom("A", "B", "C", "D", "E", "F");
    fc.assert(
      fc.property(fc.array(fc.tuple(names, names), { maxLength: 30 }), (wanted) => {
        const edges: { item: string; after: string }[] = [];
        for (const [item, after] of wanted) {
          const path = findCycle(edges, item, after);
          if (path === null) {
            edges.push({ item, after });
            continue;
          }
          const all = [...edges, { item, after }];
          path.slice(1).forEach((next, index) => {
            expect(all).toContainEqual({ item: path[index], after: next });
          });
          expect(path.at(-1)).toBe(path[0]);
        }
        let left = new Set(edges.flatMap(({ item, after }) => [item, after]));
        for (;;) {
          const free = [...left].filter(
            (name) => !edges.some(({ item, after }) => item === name && left.has(after)),
          );
          if (free.length === 0) break;
          left = new Set([...left].filter((name) => !free.includes(name)));
        }
        expect([...left]).toEqual([]);
      }),
    );
  });
});
