import { describe, expect, it } from "vitest";
import { fields } from "../../src/cli/print.js";

describe("values as people read them", () => {
  it("nested values stand below their name, lists after dashes, and what is empty is a dash", () => {
    const shown = fields({
      item: "SHOP-1",
      pending: true,
      body: "",
      landing: { head: null, checks: { passed: 2 } },
      files: ["a.txt", "b.txt"],
      lanes: [{ branch: "lane/tea", files: ["c.txt"] }, { branch: "lane/milk" }],
      none: [],
    });
    expect(shown.split("\n")).toEqual([
      "item: SHOP-1",
      "pending: true",
      "body: -",
      "landing:",
      "  head: -",
      "  checks:",
      "    passed: 2",
      "files:",
      "  - a.txt",
      "  - b.txt",
      "lanes:",
      "  - branch: lane/tea",
      "    files:",
      "      - c.txt",
      "  - branch: lane/milk",
      "none: -",
      "",
    ]);
  });
});
