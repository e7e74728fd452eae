import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { commandPage, helpText } from "../../src/cli/help-page.js";
import { yoke } from "../../src/cli/program.js";
import { yokeCommand } from "./command.js";
import { answered, serving } from "./landing.js";

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

describe("yoke", () => {
  it("prints the same help from its file as the program makes", async () => {
    const { code, stdout } = await yokeCommand(["--help"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: helpText() });
    expect(await yokeCommand([])).toMatchObject({ code: 0, stdout: helpText() });
  });

  it("for help loads node:fs and nothing else", async () => {
    const dist = mkdtempSync(join(tmpdir(), "yoke-alone-"));
    const trace = join(dist, "trace.cjs");
    const entry = join(dist, "src", "cli", "main.cjs");
    mkdirSync(join(dist, "src", "cli"), { recursive: true });
    cpSync(fileURLToPath(new URL("../../dist/src/cli/main.cjs", import.meta.url)), entry);
    writeFileSync(join(dist, "help.txt"), "the help\n");
    writeFileSync(
      trace,
      `const Module = require("node:module");
       const load = Module._load;
       Module._load = (name, ...rest) => (process.stderr.write(name + "\\n"), load(name, ...rest));`,
    );
    for (const args of [[], ["--help"], ["-h"], ["help"]]) {
      const ran = await yokeCommand(args, { NODE_OPTIONS: `--require=${trace}` }, entry);
      expect(ran).toEqual({ code: 0, stdout: "the help\n", stderr: `${entry}\nnode:fs\n` });
    }
    const verb = await yokeCommand(["status"], {}, entry);
    expect(verb.code).toBe(1);
    expect(verb.stderr).toContain("program.js");
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
      {
        name: "items.list",
        input: { project: "SHOP" },
        authorization: "Bearer a-token",
        session: undefined,
        since: null,
      },
    ]);
  });
});
