import { describe, expect, it, vi } from "vitest";

import * as queries from "../../../src/github/queries.js";
import { GitDirectory } from "../../../src/simulator/world/git.js";
import { aSimulator, graphql, openPullRequest } from "./a-simulator.js";

const PULL_REQUESTS = 12;

describe("a read of many pull requests", () => {
  it("S2 starts one git process at most when bases or heads moved, and none when nothing did", async () => {
    const at = await aSimulator();
    const ids: string[] = [];
    for (let one = 0; one < PULL_REQUESTS; one += 1)
      ids.push((await openPullRequest(at, `branch-${one}`)).nodeId);
    const run = vi.spyOn(GitDirectory.prototype, "run");
    const observe = async (): Promise<string[]> => {
      run.mockClear();
      const { body } = await graphql(at, queries.observe, { ids });
      expect(body.errors).toBeUndefined();
      return run.mock.calls.map(([args]) => args[0] ?? "");
    };
    try {
      expect(await observe()).toEqual(["merge-tree"]);
      expect(await observe()).toEqual([]);
      await at.repository.commit({ branch: "main", files: { more: "1" }, message: "More" });
      expect(await observe()).toEqual(["merge-tree"]);
      expect(await observe()).toEqual([]);
    } finally {
      run.mockRestore();
    }
  });
});
