import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { importsOf, offences, type SourceFile } from "./import-rules.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

function sources(): readonly SourceFile[] {
  return ["src", "workflows", "activities", "db"].flatMap((top) => {
    const folder = join(root, top);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => {
        const file = join(folder, name);
        return {
          path: relative(root, file).split(sep).join("/"),
          text: readFileSync(file, "utf8"),
        };
      });
  });
}

describe("imports point one way", () => {
  it("the whole tree keeps the directions of the map of folders", () => {
    const files = sources();
    expect(files.map(({ path }) => path)).toContain("src/core/landing/decide.ts");
    expect(offences(files)).toEqual([]);
  });

  it.each([
    ["src/core/a.ts", 'import { readFile } from "node:fs/promises";'],
    ["src/core/a.ts", 'import type { GitHub } from "../github/port.js";'],
    ["workflows/a.ts", 'import { pullRequests } from "../activities/pull-requests.js";'],
    ["workflows/a.ts", 'import {\n  reserve,\n} from "../db/reservations.js";'],
    ["workflows/a.ts", 'const pg = await import("pg");'],
    ["activities/a.ts", 'import { dispatch } from "../src/functions/dispatch.js";'],
    ["src/functions/a.ts", 'import { createClient } from "../github/client.js";'],
    ["src/functions/a.ts", 'import { landing } from "../../workflows/landing.js";'],
    ["src/cli/a.ts", 'import { findItem } from "../../db/items.js";'],
    ["src/server/a.ts", 'import "pg";'],
    ["src/mcp/a.ts", 'export { Client } from "@temporalio/client";'],
    ["src/simulator/a.ts", 'import { queries } from "../github/queries.js";'],
    ["db/a.ts", 'import { decide } from "../workflows/landing.js";'],
  ])("reports a wrong import: %s: %s", (path, text) => {
    expect(offences([{ path, text }])).toHaveLength(1);
    expect(offences([{ path, text }])[0]).toContain(path);
  });

  it.each([
    ["src/core/a.ts", 'import { z } from "zod";\nimport { decide } from "./landing/decide.js";'],
    ["workflows/a.ts", 'import type { Activities } from "../activities/index.js";'],
    ["workflows/a.ts", 'import { type Activities } from "../activities/index.js";'],
    ["activities/a.ts", 'import { createClient } from "../src/github/client.js";'],
    ["src/functions/a.ts", 'import { findItem } from "../../db/items.js";'],
    ["src/cli/a.ts", 'import { dispatch } from "../functions/dispatch.js";'],
    ["src/core/a.ts", '/** `import { x } from "pg"` is not for here. */\n// import "pg";'],
  ])("its twin: lets a right one through: %s: %s", (path, text) => {
    expect(offences([{ path, text }])).toEqual([]);
  });

  it("tells a type import from a value import", () => {
    const text =
      'import type { A } from "a";\nimport { type B } from "b";\nimport { type C, d } from "c";\nexport * from "e";';
    expect(importsOf(text)).toEqual([
      { specifier: "a", typeOnly: true },
      { specifier: "b", typeOnly: true },
      { specifier: "c", typeOnly: false },
      { specifier: "e", typeOnly: false },
    ]);
  });
});
