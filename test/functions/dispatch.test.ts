import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { connect } from "../../db/client.js";
import { EXIT } from "../../src/core/refusals.js";
import { inputSchema } from "../../src/functions/define.js";
import { Bug, dispatch } from "../../src/functions/dispatch.js";
import { functionNamed, functions } from "../../src/functions/registry.js";
import { version } from "../../src/functions/version.js";
import { GitHubError, type GitHubFault } from "../../src/github/port.js";
import { sampleItem, sampleProject } from "../db/sample.js";
import { benchOfFile, benchOn, codes } from "./bench.js";

const makeBench = benchOfFile();

/** Names are API: this list grows and never loses one. */
const names = [
  "project.add",
  "project.list",
  "project.get",
  "project.freeze",
  "project.unfreeze",
  "items.add",
  "items.list",
  "items.get",
  "items.detail.get",
  "items.section.get",
  "items.depends",
  "lanes.register",
  "lanes.list",
  "claim.take",
  "claim.release",
  "claim.get",
  "qualifications.record",
  "merge.preflight.dependency_gate",
  "merge.item",
  "merge.retry_flake",
  "merge_queue.landing.observe",
  "github.merge_queue.hold",
  "github.merge_queue.diff",
  "github.merge_queue.apply",
  "github.merge_queue.readiness",
  "item_landings.record",
  "item_landings.list",
  "territory.claim",
  "territory.list",
  "deployment_runs.create",
  "deployment_runs.add_item",
  "deployment_runs.remove_item",
  "deployment_runs.admit",
  "deployment_runs.show",
  "explain.item",
  "status.board",
  "notices.list",
  "notices.ack",
  "sessions.register",
  "sessions.list",
  "sessions.end",
  "sessions.stop_check",
  "steering.say",
  "steering.list",
  "fleet.idle",
  "doctor.run",
  "service.version",
];

describe("the registry", () => {
  it("lists every function once, under the names that are API", () => {
    expect(functions.map(({ name }) => name)).toEqual(names);
    expect(functionNamed("merge.item")?.name).toBe("merge.item");
    expect(functionNamed("merge.everything")).toBeNull();
  });

  it("A9.6 every function says since which release it is there, and none is newer than this build", () => {
    const manifest = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    ) as { version: string };
    expect(version).toBe(manifest.version);
    for (const { since } of functions) expect(since).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("has an input that a surface can show as JSON Schema, for each function", () => {
    for (const action of functions) expect(inputSchema(action)).toHaveProperty("type", "object");
  });
});

describe("dispatch", () => {
  it("A9.6 refuses a function of a newer release with its serving floor, and still runs the others", async () => {
    const { context } = makeBench();
    const newer = await dispatch(context, "merge.train.explain", {}, { since: "9.1.0" });
    expect(newer).toMatchObject({
      ok: false,
      exit: EXIT.refused,
      refusals: [{ code: "function_newer_than_server", seen: { since: "9.1.0", server: version } }],
    });
    const known = await dispatch(context, "service.version", {}, { clientVersion: "9.1.0" });
    expect(known).toMatchObject({ ok: true, exit: EXIT.ok, output: { version } });
  });

  it("refuses a name that no release is said to carry", async () => {
    const outcome = await makeBench().ask("merge.everything", {});
    expect(outcome).toMatchObject({ exit: EXIT.usage, refusals: [{ code: "function_unknown" }] });
  });

  it("names each wrong field of an input in one line of its own", async () => {
    const [refusal, ...rest] = await makeBench().refusals("items.add", {
      project: "lower",
      colour: "red",
    });
    expect(rest).toEqual([]);
    expect(refusal).toMatchObject({ code: "input_invalid", exit: EXIT.usage });
    expect(refusal?.message.split("\n").sort()).toEqual([
      "colour: is not a field of this input",
      "project: expected a project key such as YOK: 2 to 10 capitals and digits, a capital first",
      "title: is required (string)",
    ]);
  });

  it("says database_unavailable when Postgres is not there", async () => {
    const gone = connect("postgres://yoke@127.0.0.1:1/yoke");
    try {
      const outcome = await benchOn(gone).ask("project.list", {});
      expect(outcome).toMatchObject({
        ok: false,
        exit: EXIT.failed,
        refusals: [{ code: "database_unavailable" }],
      });
    } finally {
      await gone.close();
    }
  });

  it("takes the exit status of the first refusal", async () => {
    const bench = makeBench();
    const item = await sampleItem(bench.context.db);
    bench.answers.merge = {
      outcome: "refused",
      refusals: [
        { code: "no_worker", exit: EXIT.failed, message: "m", next: "n", seen: {} },
        { code: "lane_dirty", exit: EXIT.refused, message: "m", next: "n", seen: {} },
      ],
    };
    const outcome = await bench.ask("merge.item", {
      item: item.key,
      lane: null,
      host: "bench",
      remote: null,
    });
    expect(outcome).toMatchObject({ ok: false, exit: EXIT.failed });
  });

  it("throws a bug with a report id for what nobody foresaw, and keeps the cause", async () => {
    const bench = makeBench();
    const { key } = await sampleProject(bench.context.db);
    const cause = new Error("surprise");
    const broken = {
      ...bench.context,
      now: () => {
        throw cause;
      },
    };
    const failure = await dispatch(broken, "items.add", { project: key, title: "t" }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Bug);
    expect(failure).toHaveProperty("cause", cause);
  });

  it("never lets an output leave that its own schema refuses", async () => {
    const { context } = makeBench();
    const broken = { ...context, taskQueue: 7 as unknown as string };
    await expect(dispatch(broken, "service.version", {})).rejects.toBeInstanceOf(Bug);
  });

  const faults: readonly [GitHubFault, string][] = [
    [{ kind: "no_access", status: 401, message: "Bad credentials" }, "github_access_refused"],
    [{ kind: "rate_limited", retryAfterMs: 61_500, message: "slow down" }, "github_rate_limited"],
    [{ kind: "unavailable", message: "502" }, "github_unavailable"],
  ];
  it.each(faults)("says GitHub's %o as a refusal", async (fault, code) => {
    process.env["YOKE_TEST_TOKEN"] = "a token";
    const bench = makeBench();
    bench.answers.facts = new GitHubError(fault);
    const refusals = await bench.refusals("project.add", {
      key: "FAULT",
      repository: "acme/widgets",
      credential: { kind: "token", token: "env:YOKE_TEST_TOKEN" },
      requirement: "npm test",
    });
    expect(codes(refusals)).toEqual([code]);
  });
});
