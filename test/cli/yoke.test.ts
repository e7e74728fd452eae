import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterEach, describe, expect, it } from "vitest";
import { commandPage, helpText } from "../../src/cli/help-page.js";
import { yoke } from "../../src/cli/program.js";
import { fakeServer, yokeCommand, type FakeServer } from "./command.js";

const servers: FakeServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const view = {
  item: "SHOP-1",
  phase: "pending",
  label: "waiting in GitHub",
  pullRequest: 7,
  url: "https://github.test/acme/shop/pull/7",
  candidate: "a".repeat(40),
  why: "checks run",
  next: null,
};
const answered = (exit: number, output: unknown) => ({ ok: true, exit, output });
const pending = answered(9, {
  outcome: "landing_pending",
  landing_pending: true,
  landing: view,
  next: "Wait.",
});
const landed = answered(0, {
  outcome: "landed",
  landing_pending: false,
  landing: { ...view, phase: "closed_out" },
  receipt: { mergeCommit: "c".repeat(40), carriedBy: "c".repeat(40) },
  lane: { removed: true, why: null, next: null },
});
const refused = {
  ok: false,
  exit: 2,
  refusals: [
    { code: "lane_dirty", exit: 2, message: "tea.txt is changed.", next: "Commit it.", seen: {} },
    { code: "qualification_missing", exit: 2, message: "None.", next: "Verify it.", seen: {} },
  ],
};

async function serving(answers: Record<string, unknown[]>) {
  const server = await fakeServer(answers);
  servers.push(server);
  return {
    server,
    run: (...args: string[]) =>
      yokeCommand(args, { YOKE_API_URL: server.url, YOKE_API_TOKEN: "a-token" }),
  };
}

/** A lane in real git, as `lanes.list` would name it. */
function laneOnDisk() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "yoke-lane-")));
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: path, encoding: "utf8" }).trim();
  git("init", "-q", "-b", "lane/tea");
  writeFileSync(join(path, "tea.txt"), "tea\n");
  git("add", "-A");
  git("-c", "user.name=Robin", "-c", "user.email=robin@example.org", "commit", "-qm", "Sell tea");
  const lane = { item: "SHOP-1", branch: "lane/tea", host: hostname(), path, remote: "origin" };
  return { path, head: git("rev-parse", "HEAD"), lanes: answered(0, { lanes: [lane] }) };
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

describe("yoke", () => {
  it("prints the same help from its file as the program makes", async () => {
    const { code, stdout } = await yokeCommand(["--help"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: helpText() });
    expect(await yokeCommand([])).toMatchObject({ code: 0, stdout: helpText() });
  });

  it("docs/cli.md is what the program says of itself", () => {
    const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
    expect(page).toBe(commandPage());
  });

  it("every verb begins with an imperative line and ends with an example", () => {
    const verbs = leaves(yoke());
    expect(verbs.length).toBeGreaterThan(20);
    for (const verb of verbs) {
      let help = "";
      verb.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      expect(verb.description()).toMatch(/^[A-Z].*\.$/);
      expect(help).toMatch(/\nExample:\n {2}yoke [^\n]+\n$/);
    }
  });

  it("says what it does not know, and exits 4", async () => {
    const { code, stderr } = await yokeCommand(["nonsense"]);
    expect(code).toBe(4);
    expect(stderr).toContain("unknown command");
  });

  it("without a server names the remedy", async () => {
    const { code, stderr, stdout } = await yokeCommand(["project", "list"]);
    expect(code).not.toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^service_unreachable: .*\n {2}Next: .*yoke up/);
  });

  it("gives the token as a bearer and prints a list separated by tabs in a pipe", async () => {
    const { server, run } = await serving({
      "items.list": [
        answered(0, {
          items: [{ key: "SHOP-1", status: "open", holder: null, title: "Sell tea" }],
        }),
      ],
    });
    expect(await run("items", "list", "--project", "SHOP")).toMatchObject({
      code: 0,
      stdout: "SHOP-1\topen\t-\tSell tea\n",
    });
    expect(server.asked).toEqual([
      { name: "items.list", input: { project: "SHOP" }, authorization: "Bearer a-token" },
    ]);
  });
});

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
        answered(0, { landing: { ...view, phase: "landed", label: "merged" } }),
      ],
    });
    const { code, stdout, stderr } = await run("merge", "item", "SHOP-1", "--wait");
    expect(code).toBe(0);
    expect(stderr).toContain("waiting in GitHub: checks run");
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
    const { code, stderr } = await run("merge", "item", "SHOP-1", "--wait");
    expect(code).toBe(2);
    expect(stderr).toContain("stopped: ci failed");
    expect(stderr).toContain("Next: Fix ci.");
  });
});
