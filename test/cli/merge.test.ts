import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answered, landed, laneOnDisk, pending, refused, serving, view } from "./landing.js";

describe("yoke merge item", () => {
  it("A1.4 prints landing_pending with pull request, head and next step, and exits 9", async () => {
    const lane = laneOnDisk();
    const { server, run } = await serving({ "lanes.list": [lane.lanes], "merge.item": [pending] });
    const { code, stdout } = await run("merge", "item", "SHOP-1", "--result", "tea");
    expect(code).toBe(9);
    expect(stdout).toContain("landing_pending: true\n");
    expect(stdout).toContain(view.url);
    expect(stdout).toContain(view.candidate);
    expect(stdout).toContain("next: Wait.");
    expect(server.asked.at(-1)).toMatchObject({
      name: "merge.item",
      input: {
        item: "SHOP-1",
        result: "tea",
        lane: { head: lane.head, branch: "lane/tea", dirty: [] },
      },
    });
  });

  it("prints one JSON document with its schema", async () => {
    const lane = laneOnDisk();
    const { run } = await serving({ "lanes.list": [lane.lanes], "merge.item": [landed] });
    const { code, stdout } = await run("merge", "item", "SHOP-1", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: "yoke.merge.item/1",
      ok: true,
      outcome: "landed",
    });
  });

  it("A1.2 prints every refusal with its next step on stderr, and exits 2", async () => {
    const lane = laneOnDisk();
    const { run } = await serving({ "lanes.list": [lane.lanes], "merge.item": [refused] });
    const { code, stdout, stderr } = await run("merge", "item", "SHOP-1");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      "lane_dirty: tea.txt is changed.\n  Next: Commit it.\nqualification_missing: None.\n  Next: Verify it.\n",
    );
  });

  it("A1.5 --wait shows progress from the record and closes out with exit 0", async () => {
    const lane = laneOnDisk();
    const { server, run } = await serving({
      "lanes.list": [lane.lanes],
      "merge.item": [pending, landed],
      "merge_queue.landing.observe": [
        answered(0, { landing: view }),
        answered(0, { landing: view }),
        answered(0, {
          landing: { ...view, checks: { of: "group", passed: 3, failed: 0, running: 1 } },
        }),
        answered(0, { landing: { ...view, phase: "landed", label: "merged" } }),
      ],
    });
    const { code, stdout, stderr } = await run("merge", "item", "SHOP-1", "--wait");
    expect(code).toBe(0);
    // One line for each change, with the time that went by; none for a look that saw nothing new.
    expect(stderr.split("\n").map((line) => line.replace(/^\[\d+ s\] /, "[n s] "))).toEqual([
      "armed; waiting for SHOP-1 to land (Ctrl-C leaves the landing as it is)",
      "[n s] waiting in GitHub: checks run",
      "[n s] waiting in GitHub: checks run; checks of the group: 3 passed, 1 running",
      "[n s] merged: checks run",
      "",
    ]);
    expect(stdout).toContain("landed: true");
    expect(server.asked.filter(({ name }) => name === "merge.item")).toHaveLength(2);
  });

  it("A1.5 --wait returns control with exit 2 when the holder must act", async () => {
    const lane = laneOnDisk();
    const stopped = {
      ...view,
      phase: "stopped",
      label: "stopped",
      why: "ci failed",
      next: "Fix ci.",
    };
    const { run } = await serving({
      "lanes.list": [lane.lanes],
      "merge.item": [pending],
      "merge_queue.landing.observe": [answered(0, { landing: stopped })],
    });
    const { code, stdout, stderr } = await run("merge", "item", "SHOP-1", "--wait");
    expect(code).toBe(2);
    expect(stdout).toContain("stopped: true\n");
    expect(stderr).toContain("stopped: ci failed");
    expect(stdout).toContain("next: Fix ci.\n");
    const asked = await run("merge", "item", "SHOP-1", "--wait", "--json");
    expect(asked.code).toBe(2);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      schema: "yoke.merge.item/1",
      exit: 2,
      outcome: "stopped",
      landing: { why: "ci failed" },
      next: "Fix ci.",
    });
  });

  it("A1.5 --wait takes a record of an earlier arming for no stop", async () => {
    const lane = laneOnDisk();
    const second = { ...view, episode: 2 };
    const { run } = await serving({
      "lanes.list": [lane.lanes],
      "merge.item": [answered(9, { ...pending.output, landing: second }), landed],
      "merge_queue.landing.observe": [
        answered(0, { landing: { ...view, phase: "stopped", why: "the old stop" } }),
        answered(0, { landing: { ...second, phase: "landed", failedChecks: ["lint"] } }),
      ],
    });
    const { code, stderr } = await run("merge", "item", "SHOP-1", "--wait");
    expect(code).toBe(0);
    expect(stderr).not.toContain("the old stop");
    expect(stderr).toContain("failed: lint");
  });

  it("A1.5 --wait that loses the server keeps that refusal's exit status and document", async () => {
    const lane = laneOnDisk();
    const gone = {
      code: "database_unavailable",
      exit: 1,
      message: "Gone.",
      next: "Wait.",
      seen: {},
    };
    const { run } = await serving({
      "lanes.list": [lane.lanes],
      "merge.item": [pending],
      "merge_queue.landing.observe": [{ ok: false, exit: 1, refusals: [gone] }],
    });
    const { code, stdout, stderr } = await run(
      "merge",
      "item",
      "SHOP-1",
      "--wait",
      "--json",
      "--patience",
      "0",
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, exit: 1, refusals: [gone] });
    expect(stderr).toContain("The landing of SHOP-1 goes on. `yoke merge item SHOP-1` takes it");
  });

  it("A1.5 --wait rides over a restart of the server, says so, and closes out", async () => {
    const lane = laneOnDisk();
    const before = await serving({
      "lanes.list": [lane.lanes],
      "merge.item": [pending],
      "merge_queue.landing.observe": [answered(0, { landing: view })],
    });
    const running = before.start("merge", "item", "SHOP-1", "--wait", "--json");
    await running.said("waiting in GitHub: checks run");
    await before.server.close();
    await running.said("Waiting up to 300 s for it; what was begun goes on meanwhile.");
    await serving(
      {
        "lanes.list": [lane.lanes],
        "merge.item": [landed],
        "merge_queue.landing.observe": [answered(0, { landing: { ...view, phase: "landed" } })],
      },
      Number(new URL(before.server.url).port),
    );
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).toContain("The server answers again.");
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, outcome: "landed" });
  });

  it("A1.5 --wait whose patience ends leaves the landing as it is and says what to enter", async () => {
    const lane = laneOnDisk();
    const { server, start } = await serving({
      "lanes.list": [lane.lanes],
      "merge.item": [pending],
      "merge_queue.landing.observe": [answered(0, { landing: view })],
    });
    const running = start("merge", "item", "SHOP-1", "--wait", "--patience", "1");
    await running.said("waiting in GitHub: checks run");
    await server.close();
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/service_unreachable: .*does not answer/);
    expect(stderr).toContain("The landing of SHOP-1 goes on. `yoke merge item SHOP-1` takes it");
    expect(server.asked.filter(({ name }) => name === "merge.item")).toHaveLength(1);
  });

  it("A1.5 Ctrl-C leaves the landing untouched, says so, and exits 130", async () => {
    const lane = laneOnDisk();
    const { server, start } = await serving({
      "lanes.list": [lane.lanes],
      "merge.item": [pending],
      "merge_queue.landing.observe": [answered(0, { landing: view })],
    });
    const running = start("merge", "item", "SHOP-1", "--wait");
    await running.said("waiting in GitHub: checks run");
    running.interrupt();
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toContain("The landing of SHOP-1 goes on.");
    const names = new Set(server.asked.map(({ name }) => name));
    expect(names).toEqual(new Set(["lanes.list", "merge.item", "merge_queue.landing.observe"]));
  });

  it("A1.1 several lanes are lane_ambiguous, exit 4, until --lane names one", async () => {
    const [one, two] = [laneOnDisk(), laneOnDisk("lane/milk")];
    const lanes = answered(0, { lanes: [one.lane, two.lane] });
    const landingAt = (head: string | null) =>
      answered(0, { merge_queue: { landing: { head, candidate: null }, attempt: null } });
    const { server, run } = await serving({
      "lanes.list": [lanes],
      "merge.item": [pending],
      "items.detail.get": [landingAt(null)],
    });
    const several = await run("merge", "item", "SHOP-1");
    expect(several.code).toBe(4);
    expect(several.stderr).toMatch(/^lane_ambiguous: .*lane\/tea at .*, lane\/milk at /);
    const unknown = await run("merge", "item", "SHOP-1", "--lane", "lane/salt");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(/^lane_unknown: .*lane\/salt/);
    expect(server.asked.map(({ name }) => name)).not.toContain("merge.item");
    expect(await run("merge", "item", "SHOP-1", "--lane", "lane/milk")).toMatchObject({ code: 9 });
    expect(server.asked.at(-1)?.input).toMatchObject({ lane: { branch: "lane/milk" } });
  });
});

describe("yoke merge item on a lane whose folder is gone", () => {
  it("A1.1 answers what the landing says: closed out from another terminal, it landed", async () => {
    const lane = laneOnDisk();
    rmSync(lane.path, { recursive: true });
    const { server, run } = await serving({ "lanes.list": [lane.lanes], "merge.item": [landed] });
    expect(await run("merge", "item", "SHOP-1")).toMatchObject({ code: 0 });
    expect(server.asked.at(-1)).toMatchObject({ name: "merge.item", input: { lane: null } });
  });

  it("A11.3 is lane_gone, with the commands that put it back, where the lane is needed", async () => {
    const lane = laneOnDisk();
    rmSync(lane.path, { recursive: true });
    const needed = { code: "lane_unknown", exit: 2, message: "No lane.", next: "Go.", seen: {} };
    const { server, run } = await serving({
      "lanes.list": [lane.lanes],
      "merge.item": [{ ok: false, exit: 2, refusals: [needed] }],
    });
    const merged = await run("merge", "item", "SHOP-1");
    expect(merged).toMatchObject({ code: 2, stdout: "" });
    expect(merged.stderr).toBe(
      [
        `lane_gone: The lane lane/tea of SHOP-1 is gone: there is no folder ${lane.path}.`,
        `  Next: Put the worktree back with \`git -C ${lane.lane.commonDir} worktree prune\` and \`git -C ${lane.lane.commonDir} worktree add ${lane.path} lane/tea\`, then enter the command again.`,
        "",
      ].join("\n"),
    );
    const verified = await run("verify", "record", "SHOP-1", "--evidence", "npm test");
    expect(verified.code).toBe(2);
    expect(verified.stderr).toMatch(/^lane_gone: /);
    expect(server.asked.map(({ name }) => name)).not.toContain("qualifications.record");
  });

  it("A12.4 of several lanes it is not guessed which is meant", async () => {
    const [one, two] = [laneOnDisk(), laneOnDisk("lane/milk")];
    rmSync(one.path, { recursive: true });
    const lanes = answered(0, { lanes: [one.lane, two.lane] });
    const { server, run } = await serving({ "lanes.list": [lanes], "merge.item": [pending] });
    const several = await run("merge", "item", "SHOP-1");
    expect(several).toMatchObject({ code: 2 });
    expect(several.stderr).toMatch(/^lane_gone: .*lane\/tea/);
    expect(server.asked.map(({ name }) => name)).not.toContain("merge.item");
    expect(await run("merge", "item", "SHOP-1", "--lane", "lane/milk")).toMatchObject({ code: 9 });
  });

  it("a folder that somebody names and that is not there is no worktree", async () => {
    const { run } = await serving({});
    const named = await run("lanes", "register", "SHOP-1", "--path", "/nowhere/at/all");
    expect(named.code).toBe(4);
    expect(named.stderr).toMatch(/^lane_not_a_worktree: There is no folder \/nowhere/);
  });
});

describe("yoke merge item --retry-flake", () => {
  it("A9.1 A9.6 asks a function of its own, with the release that carries it", async () => {
    const lane = laneOnDisk();
    const { server, run } = await serving({
      "lanes.list": [lane.lanes],
      "merge.retry_flake": [pending],
    });
    const reason = "tea.spec: the kettle was cold";
    const { code } = await run("merge", "item", "SHOP-1", "--retry-flake", reason);
    expect(code).toBe(9);
    expect(server.asked.at(-1)).toMatchObject({
      name: "merge.retry_flake",
      since: "0.2.0",
      input: { item: "SHOP-1", retryFlake: reason, lane: { head: lane.head } },
    });
    expect(server.asked.at(0)).toMatchObject({ name: "lanes.list", since: null });
  });
});
