/** Runs the built `yoke` as a person would, with nothing of this machine's configuration. */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../dist/src/cli/main.cjs", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** Resolves when standard error says `text`; rejects when the command ends without it. */
  said(text: string): Promise<void>;
  /** The first line of standard output; rejects when the command ends without one. */
  printed(): Promise<string>;
  interrupt(): void;
  readonly ended: Promise<Ran>;
}

export function startYoke(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  entry = program,
): Running {
  const home = mkdtempSync(join(tmpdir(), "yoke-cli-"));
  const child = spawn(process.execPath, [entry, ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  return {
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (stderr.includes(text)) resolve();
        };
        child.stderr.on("data", look);
        child.once("close", () => reject(new Error(`ended without saying ${text}: ${stderr}`)));
        look();
      }),
    printed: () =>
      new Promise((resolve, reject) => {
        const look = () => {
          const [line, ...rest] = stdout.split("\n");
          if (rest.length > 0) resolve(line ?? "");
        };
        child.stdout.on("data", look);
        child.once("close", () => reject(new Error(`ended without a line: ${stderr}`)));
        look();
      }),
    interrupt: () => child.kill("SIGINT"),
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, stdout, stderr }));
    }),
  };
}

export function yokeCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  entry = program,
): Promise<Ran> {
  return startYoke(args, env, entry).ended;
}

export interface FakeServer {
  readonly url: string;
  readonly asked: {
    readonly name: string;
    readonly input: unknown;
    readonly authorization: string | undefined;
    readonly session: string | undefined;
    /** First release of the function, as the command knows it. */
    readonly since: string | null;
  }[];
  close(): Promise<void>;
}

/** A server that answers each function with the next of its outcomes; the last one again and again. */
export async function fakeServer(
  answers: Record<string, unknown[]>,
  port = 0,
): Promise<FakeServer> {
  const asked: FakeServer["asked"] = [];
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
    request.on("end", () => {
      const name = (request.url ?? "").replace("/api/functions/", "");
      const session = request.headers["x-yoke-session"];
      asked.push({
        name,
        input: JSON.parse(body),
        authorization: request.headers.authorization,
        session: Array.isArray(session) ? session.join() : session,
        since: request.headers["x-yoke-since"]?.toString() ?? null,
      });
      const queue = answers[name] ?? [];
      const answer = queue.length > 1 ? queue.shift() : queue[0];
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer ?? { ok: false, exit: 2, refusals: [] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(taken)}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
