import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { EXIT, refuse } from "../../src/core/refusals.js";
import { Refused } from "../../src/functions/context.js";
import { GitHubError } from "../../src/github/port.js";
import { noon } from "../db/sample.js";
import { benchOfFile, codes, goodFacts } from "./bench.js";

const makeBench = benchOfFile();

beforeEach(() => {
  vi.stubEnv("YOKE_TEST_TOKEN", "a token");
  vi.stubEnv("YOKE_TEST_HOOK", "a secret");
});

let made = 0;
function wanted(given: object = {}) {
  made += 1;
  return {
    key: `W${String(made)}`,
    repository: "acme/widgets",
    credential: { kind: "token", token: "env:YOKE_TEST_TOKEN" },
    webhookSecret: "env:YOKE_TEST_HOOK",
    requirement: "npm test",
    ...given,
  };
}

describe("project.add", () => {
  it("A4.1 reads the repository once, keeps its id, and makes the upkeep schedule of a minute", async () => {
    const bench = makeBench();
    bench.answers.facts = { ...goodFacts, id: 1001 };
    const input = wanted();
    const answer = await bench.done("project.add", input);
    expect(answer).toMatchObject({
      project: {
        key: input.key,
        owner: "acme",
        name: "widgets",
        repositoryId: 1001,
        gateBranch: "main",
        apiUrl: "https://api.github.com",
        credential: { kind: "token", token: "env:YOKE_TEST_TOKEN" },
        webhookSecret: "env:YOKE_TEST_HOOK",
        requirementDigest: createHash("sha256").update("npm test").digest("hex"),
        upkeepSeconds: 60,
        refreshedAt: null,
        createdAt: noon,
      },
      warnings: [],
      upkeep: { scheduled: true, why: null },
    });
    const { connection } = answer["project"] as { connection: string };
    expect(answer["webhook"]).toMatchObject({ path: `/webhooks/github/${connection}` });
    expect(bench.github).toEqual([
      { method: "repository", args: [{ owner: "acme", name: "widgets" }, "main"] },
    ]);
    expect(bench.landings).toMatchObject([{ method: "ensureUpkeep", args: [{ key: input.key }] }]);
    expect(JSON.stringify(answer)).not.toContain("a token");
    expect(await bench.done("project.get", { project: input.key })).toMatchObject({
      project: answer["project"],
    });
    const list = await bench.done("project.list", {});
    expect(list["projects"]).toContainEqual(answer["project"]);
  });

  it("refuses a repository that the credential cannot see, and keeps nothing", async () => {
    const bench = makeBench();
    bench.answers.facts = new GitHubError({ kind: "no_access", status: 404, message: "Not Found" });
    const input = wanted();
    expect(codes(await bench.refusals("project.add", input))).toEqual(["repository_unknown"]);
    expect(codes(await bench.refusals("project.get", { project: input.key }))).toEqual([
      "project_unknown",
    ]);
    expect(bench.landings).toEqual([]);
  });

  it("refuses a credential that is not where it is said to be before GitHub is asked", async () => {
    const bench = makeBench();
    const credential = { kind: "token", token: "env:YOKE_TEST_NOWHERE" };
    expect(await bench.refusals("project.add", wanted({ credential }))).toMatchObject([
      { code: "credential_missing", seen: { source: "YOKE_TEST_NOWHERE" } },
    ]);
    expect(bench.github).toEqual([]);
  });

  it("refuses the secret itself where a reference is expected", async () => {
    const credential = { kind: "token", token: "ghp_0123456789" };
    const [refusal] = await makeBench().refusals("project.add", wanted({ credential }));
    expect(refusal).toMatchObject({ code: "input_invalid", exit: EXIT.usage });
    expect(refusal?.message).not.toContain("ghp_");
  });

  it("refuses a gate branch that is not there", async () => {
    const bench = makeBench();
    bench.answers.facts = { ...goodFacts, id: 1002, gateBranchHead: null };
    expect(codes(await bench.refusals("project.add", wanted()))).toEqual(["gate_branch_missing"]);
  });

  it("refuses a key that is taken, and a gate branch that is under control", async () => {
    const bench = makeBench();
    bench.answers.facts = { ...goodFacts, id: 1003 };
    const input = wanted();
    await bench.done("project.add", input);
    expect(codes(await bench.refusals("project.add", input))).toEqual(["project_exists"]);
    expect(await bench.refusals("project.add", wanted())).toMatchObject([
      { code: "project_exists", seen: { project: input.key } },
    ]);
    expect(await bench.done("project.add", wanted({ gateBranch: "stable" }))).toMatchObject({
      project: { gateBranch: "stable" },
    });
  });

  it("keeps the project when Temporal is away, and says that its schedule is owed", async () => {
    const bench = makeBench();
    bench.answers.facts = { ...goodFacts, id: 1004 };
    bench.answers.upkeep = new Refused([refuse("temporal_unavailable", "Temporal is gone.")]);
    expect(await bench.done("project.add", wanted())).toMatchObject({
      upkeep: { scheduled: false, why: "temporal_unavailable: Temporal is gone." },
    });
  });

  it("warns of a missing queue and of a method that cannot be proved", async () => {
    const bench = makeBench();
    bench.answers.facts = { ...goodFacts, id: 1005, queue: null, autoMergeAllowed: false };
    const without = await bench.done("project.add", wanted({ webhookSecret: null }));
    expect(without["warnings"]).toHaveLength(3);
    bench.answers.facts = {
      ...goodFacts,
      id: 1006,
      queue: { url: "https://github.com/acme/widgets/queue", mergeMethod: "SQUASH" },
    };
    const squashed = await bench.done("project.add", wanted());
    expect(squashed["warnings"]).toMatchObject([expect.stringContaining("squash")]);
  });
});
