/** Every command that a refusal, a notice or an explanation tells a person to enter is one that exists. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { yoke } from "../../src/cli/program.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** `yoke …` in backticks, in the sources and pages that speak to people. */
function named(): string[] {
  const folders = [
    "src/core",
    "src/functions",
    "src/server",
    "src/embedded",
    "workflows",
    "activities",
    "docs",
  ];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|md)$/.test(name) && !name.startsWith("decisions"))
      .map((name) => join(root, folder, name)),
  );
  const texts = [...files, join(root, "README.md")].map((file) => readFileSync(file, "utf8"));
  return texts.flatMap((text) =>
    [...text.matchAll(/`yoke ([^`\n]+?)\\?`/g)].map((match) => match[1] ?? ""),
  );
}

/** Null when it exists; else what of it does not. */
function missing(line: string): string | null {
  let command: Command = yoke();
  const words = line.split(/\s+/);
  for (const word of words) {
    if (word.startsWith("--")) {
      const option = word.replace(/[=.,].*$/, "");
      if (option !== "--help" && command.options.every((one) => one.long !== option))
        return `${line}: ${option}`;
    } else if (command.commands.length > 0) {
      const next = command.commands.find((one) => one.name() === word);
      if (next === undefined) return `${line}: ${word}`;
      command = next;
    }
  }
  return null;
}

describe("commands that are named to people", () => {
  it("all exist, with their options", () => {
    const lines = named();
    expect(lines.length).toBeGreaterThan(60);
    expect(lines.map(missing).filter((one) => one !== null)).toEqual([]);
  });

  it("the check finds a verb and an option that do not exist", () => {
    expect(missing("lane register SHOP-1")).toContain("lane");
    expect(missing("up --data folder")).toContain("--data");
    expect(missing("merge item SHOP-1 --wait")).toBeNull();
  });
});
