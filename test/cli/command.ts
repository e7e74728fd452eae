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

export function yokeCommand(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const home = mkdtempSync(join(tmpdir(), "yoke-cli-"));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env["PATH"] ?? "", HOME: home, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

export interface FakeServer {
  readonly url: string;
  readonly asked: {
    readonly name: string;
    readonly input: unknown;
    readonly authorization: string | undefined;
  }[];
  close(): Promise<void>;
}

/** A server that answers each function with the next of its outcomes; the last one again and again. */
export async function fakeServer(answers: Record<string, unknown[]>): Promise<FakeServer> {
  const asked: FakeServer["asked"] = [];
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
    request.on("end", () => {
      const name = (request.url ?? "").replace("/api/functions/", "");
      asked.push({ name, input: JSON.parse(body), authorization: request.headers.authorization });
      const queue = answers[name] ?? [];
      const answer = queue.length > 1 ? queue.shift() : queue[0];
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer ?? { ok: false, exit: 2, refusals: [] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
