/** A `git` first on the worker's PATH: commands that change something ask at a gate before they run and after it. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Tripwire } from "./tripwire.js";

const run = promisify(execFile);
const asker = fileURLToPath(new URL("git-gate-asker.mjs", import.meta.url));

/** The commands of a close-out that change something, as they stand in an argument list. */
const changes = [
  "fetch",
  "worktree remove",
  "update-ref --no-deref -d",
  "config --local --remove-section",
] as const;

export interface GitGate {
  /** For the environment of the worker. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** Puts the program into `folder`. */
export async function gitGate(folder: string, tripwire: Tripwire): Promise<GitGate> {
  const git = (await run("which", ["git"])).stdout.trim();
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "git"),
    `#!/bin/sh
case " $* " in
${changes.map((words) => `*" ${words} "*`).join(" | ")}) exec "${process.execPath}" "${asker}" "$@" ;;
esac
exec "${git}" "$@"
`,
    { mode: 0o755 },
  );

  /** Commands that run: what tells the tripwire that the effect is there, and who is to be answered then. */
  const running = new Map<string, (response: ServerResponse) => void>();
  async function pass(id: string, command: string, response: ServerResponse): Promise<void> {
    const change = changes.find((words) => ` ${command} `.includes(` ${words} `));
    let asking = response;
    const reply = await tripwire.pass("git", change ?? command, async () => {
      const ran = new Promise<ServerResponse>((resolve) => running.set(id, resolve));
      response.end("answer");
      asking = await ran;
    });
    asking.end(reply);
  }
  const server = createServer((request, response) => {
    void text(request).then((command) => {
      const id = request.headers["x-process"];
      const after = running.get(String(id));
      if (after === undefined) return pass(String(id), command, response);
      running.delete(String(id));
      return after(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    env: {
      PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`,
      GATE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      GATE_GIT: git,
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
