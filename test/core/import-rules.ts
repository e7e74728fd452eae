/** The import directions of the tree, as data, and what breaks them (ARCHITECTURE.md "Map of folders"). */
import { posix } from "node:path";

export interface SourceFile {
  /** From the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly specifier: string;
  /** `import type`, or every name in it is a type: nothing of it is left when the program runs. */
  readonly typeOnly: boolean;
}

interface Rule {
  /** Folders or files a part may use. Its own folder is always allowed. */
  readonly values: readonly string[];
  /** What it may use as types only. */
  readonly types: readonly string[];
  readonly packages: RegExp;
}

const ports = ["src/github/port.ts", "src/git/port.ts", "src/forge/port.ts"];
const adapter: Rule = {
  values: ["src/core", "src/config"],
  types: ["src/github", "src/git", "src/forge"],
  packages: /^(?!@temporalio|pg$|drizzle-orm|hono|@hono)/,
};
const surface: Rule = {
  values: ["src/functions", "src/core", "src/config"],
  types: [],
  packages: /^(?!@temporalio|pg$|drizzle-orm|@octokit)/,
};

export const rules: Readonly<Record<string, Rule>> = {
  "src/core": { values: [], types: [], packages: /^zod$/ },
  workflows: {
    // Timeouts and retries are plain data, and named once for all workflows.
    values: ["src/core", "activities/profiles.ts"],
    types: ["activities", ...ports],
    packages: /^@temporalio\/(workflow|common)$/,
  },
  activities: {
    values: ["src/core", "src/github", "src/git", "src/forge", "src/gates", "db", "src/config"],
    types: ["workflows"],
    packages: /^(node:|@temporalio\/(activity|common)$|zod$)/,
  },
  db: {
    values: ["src/core"],
    types: ports,
    packages: /^(node:|drizzle-orm|pg$|zod$)/,
  },
  "src/github": adapter,
  "src/git": adapter,
  "src/forge": adapter,
  "src/gates": { ...adapter, values: [...adapter.values, "src/git"] },
  "src/functions": {
    values: ["src/core", "db", "src/config", "workflows/names.ts"],
    types: ["workflows", ...ports],
    packages: /^(node:|zod$|@temporalio\/(client|common)$)/,
  },
  // `yoke merge item` reads the lane it stands in; `up`, `worker` and `demo` start what they are named after.
  "src/cli": {
    ...surface,
    values: [...surface.values, "src/git", "src/embedded", "src/worker", "src/server", "src/mcp"],
  },
  "src/server": surface,
  "src/mcp": surface,
  // It stands in for GitHub, so it shares no code with what speaks to GitHub.
  "src/simulator": {
    values: ["src/config"],
    types: [],
    packages: /^(?!@temporalio|pg$|drizzle-orm)/,
  },
};

/** Files that put the parts of one process together; nothing else may know them all. */
function compositionRoot(path: string): boolean {
  return /\/(main|compose)\.ts$/.test(path);
}

const statement =
  /(?:^|[\n;])\s*(?:import|export)\s+(type\s+)?((?:[\w$*\s,]|\{[^}]*\})*?)\s*from\s*["']([^"']+)["']/g;
const bare = /(?:^|[\n;])\s*import\s*["']([^"']+)["']/g;
const dynamic = /\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** Every import of a file, static, bare or dynamic; comments do not count. */
export function importsOf(text: string): readonly Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return [
    ...[...code.matchAll(statement)].map(([, type, names = "", specifier = ""]) => ({
      specifier,
      typeOnly: type !== undefined || onlyTypes(names),
    })),
    ...[...code.matchAll(bare), ...code.matchAll(dynamic)].map(([, specifier = ""]) => ({
      specifier,
      typeOnly: false,
    })),
  ];
}

function onlyTypes(names: string): boolean {
  const inside = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1];
  if (inside === undefined) return false;
  const list = inside.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  return list.length > 0 && list.every((name) => name.startsWith("type "));
}

/** One line for each import that goes against its direction: the file, what it imports, and why not. */
export function offences(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const part = Object.keys(rules).find((part) => path.startsWith(`${part}/`));
    const rule = part === undefined ? undefined : rules[part];
    if (part === undefined || rule === undefined || compositionRoot(path)) return [];
    return importsOf(text).flatMap((one) =>
      allowed(part, rule, path, one)
        ? []
        : [`${path} imports ${one.specifier}${one.typeOnly ? " (types)" : ""}: not for ${part}`],
    );
  });
}

function allowed(part: string, rule: Rule, path: string, { specifier, typeOnly }: Import): boolean {
  if (!specifier.startsWith(".")) return rule.packages.test(specifier);
  const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
  const within = (place: string) => target === place || target.startsWith(`${place}/`);
  return within(part) || rule.values.some(within) || (typeOnly && rule.types.some(within));
}
