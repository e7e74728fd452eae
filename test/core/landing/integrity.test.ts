import { describe, expect, it } from "vitest";
import {
  integrityOf,
  somePaths,
  type Integrity,
  type TreeComparison,
} from "../../../src/core/landing/integrity.js";

const onto = "a".repeat(40);

/** Every comparison git can make, and what it means. */
const table: readonly (readonly [TreeComparison, Integrity["is"]])[] = [
  [{ found: "candidate_itself" }, "intact"],
  [{ found: "equal" }, "intact"],
  [{ found: "differs", onto, paths: ["tea.txt"] }, "wrong_tree"],
  // Trees that differ in a way no path shows are still not the same tree.
  [{ found: "differs", onto, paths: [] }, "wrong_tree"],
  [{ found: "conflict", onto, paths: ["tea.txt"] }, "not_checked"],
  [{ found: "octopus" }, "not_checked"],
  [{ found: "no_parent" }, "not_checked"],
];

describe("what a comparison of trees means", () => {
  it.each(table)("A16.1 %j is %s", (comparison, is) => {
    expect(integrityOf(comparison).is).toBe(is);
  });

  it("A16.1 a wrong tree names where the branch stood and the paths", () => {
    expect(integrityOf({ found: "differs", onto, paths: ["b", "a"] })).toStrictEqual({
      is: "wrong_tree",
      onto,
      paths: ["b", "a"],
    });
  });

  it("A16.1 many paths are counted, few are all named", () => {
    const paths = Array.from({ length: 23 }, (_, at) => `f${at}`);
    expect(somePaths(paths)).toMatch(/^f0, .*, f19 and 3 more$/);
    expect(somePaths(["a", "b"])).toBe("a, b");
  });
});
