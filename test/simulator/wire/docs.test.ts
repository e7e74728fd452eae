import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { startSimulator } from "../../../src/simulator/index.js";
import { ADMIN_ROUTES } from "../../../src/simulator/wire/admin/routes.js";
import { routeName, Router } from "../../../src/simulator/wire/http/router.js";
import { START } from "./a-simulator.js";

interface Example {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
  readonly answer: unknown;
}

/** Blocks of `http`: a request, then its answer, and an empty line before the next. */
async function examples(): Promise<Example[]> {
  const page = await readFile(new URL("../../../docs/simulator.md", import.meta.url), "utf8");
  const blocks = [...page.matchAll(/^```http\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
  return blocks
    .flatMap((block) => block.trim().split("\n\n"))
    .map((example) => {
      const found = /^([A-Z]+) (\S+)(?: (.+))?\n(\d+) (.+)$/.exec(example);
      if (found === null) throw new Error(`no example: ${example}`);
      const [, method = "", path = "", body = "", status = "", answer = ""] = found;
      return { method, path, body, status: Number(status), answer: JSON.parse(answer) as unknown };
    });
}

const anything: unknown = expect.anything();

/** What an answer should hold; `<name>` is taken from it where it is not known yet. */
function expected(pattern: unknown, actual: unknown, known: Map<string, string>): unknown {
  if (pattern === "…") return anything;
  if (typeof pattern === "string") {
    const [, name] = /^<(\w+)>$/.exec(pattern) ?? [];
    if (name === undefined) return filled(pattern, known);
    if (!known.has(name)) known.set(name, String(actual));
    return typeof actual === "number" ? Number(known.get(name)) : known.get(name);
  }
  if (Array.isArray(pattern)) {
    const items = Array.isArray(actual) ? actual : [];
    const open = pattern.at(-1) === "…";
    const shown = open ? pattern.slice(0, -1) : pattern;
    return [
      ...shown.map((one, at) => expected(one, items[at], known)),
      ...(open ? items.slice(shown.length) : []),
    ];
  }
  if (typeof pattern !== "object" || pattern === null) return pattern;
  const values = (typeof actual === "object" ? actual : {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(pattern).map(([key, value]) => [key, expected(value, values[key], known)]),
  );
}

function filled(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(/<(\w+)>/g, (whole, name: string) => known.get(name) ?? whole);
}

it("S9 S10 every operation of the admin API is documented with an example that works", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "simulated-github-"));
  const simulator = await startSimulator({ dataDir, clock: "stepped", start: START });
  const router = new Router(ADMIN_ROUTES);
  const known = new Map<string, string>();
  const shown = new Set<string>();
  try {
    for (const example of await examples()) {
      const path = filled(example.path, known);
      const answer = await fetch(`${simulator.url}${path}`, {
        method: example.method,
        ...(example.body === "" ? {} : { body: filled(example.body, known) }),
      });
      const actual: unknown = await answer.json();
      const pattern = expected(example.answer, actual, known);
      const what = `${example.method} ${path}`;
      expect({ what, status: answer.status, answer: actual }).toMatchObject({
        what,
        status: example.status,
        answer: pattern,
      });
      const match = router.match(example.method, path.split("?")[0] ?? "");
      if (match !== null) shown.add(routeName(match.route));
    }
  } finally {
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  expect(ADMIN_ROUTES.map(routeName).filter((name) => !shown.has(name))).toEqual([]);
});
