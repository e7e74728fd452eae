/** Git's smart HTTP protocol: requests go to `git http-backend`, its CGI answer comes back. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

import { cleanEnvironment } from "../../world/git-process.js";
import type { RefUpdate, Repository } from "../../world/model.js";
import type { Incoming } from "../http/incoming.js";

export interface CgiAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** First bytes of the body, which arrived with the headers. */
  readonly start: Buffer;
}

export interface BackendCall {
  readonly repository: Repository;
  /** `/info/refs`, `/git-upload-pack` or `/git-receive-pack`. */
  readonly service: string;
  readonly incoming: Incoming;
  readonly login: string | null;
}

/** Streams an answer as it comes: what a fetch needs. */
export async function streamBackend(call: BackendCall, response: ServerResponse): Promise<number> {
  const child = start(call, {});
  response.on("close", () => child.kill());
  const feeding = feed(call, child.stdin);
  const answer = await readHead(child.stdout);
  response.writeHead(answer.status, {
    ...Object.fromEntries(headersNow(response)),
    ...answer.headers,
  });
  response.write(answer.start);
  await pipeline(child.stdout, response);
  await feeding;
  return answer.status;
}

/**
 * Runs git to its end before anything is answered, so that the world can follow a push first. `updates` are
 * the refs that git has moved, as its `post-receive` hook saw them.
 */
export async function bufferBackend(
  call: BackendCall,
): Promise<{ readonly answer: CgiAnswer; readonly updates: readonly RefUpdate[] }> {
  await installReport(call.repository);
  const report = join(tmpdir(), `simulator-push-${randomUUID()}`);
  try {
    const child = start(call, { SIMULATOR_PUSH_REPORT: report });
    const feeding = feed(call, child.stdin);
    const head = await readHead(child.stdout);
    const rest: Buffer[] = [];
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) rest.push(chunk);
    await feeding;
    const answer = { ...head, start: Buffer.concat([head.start, ...rest]) };
    return { answer, updates: parseUpdates(await readReport(report)) };
  } finally {
    await rm(report, { force: true });
  }
}

const HOOK = `#!/bin/sh
# Lines on standard input: old oid, new oid, ref.
exec cat >>"$SIMULATOR_PUSH_REPORT"
`;

async function installReport(repository: Repository): Promise<void> {
  const folder = join(repository.gitDir, "hooks");
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(join(folder, "post-receive"), HOOK, { mode: 0o755, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** A push that moved nothing makes no report. */
async function readReport(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function parseUpdates(report: string): RefUpdate[] {
  return report
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [before = "", after = "", ref = ""] = line.split(" ");
      return { ref, before, after };
    });
}

function start(
  { repository, service, incoming, login }: BackendCall,
  extra: Record<string, string>,
) {
  const length = incoming.header("content-length");
  const encoding = incoming.header("content-encoding");
  const protocol = incoming.header("git-protocol");
  const child = spawn(
    "git",
    ["-c", "safe.directory=*", "-c", "uploadpack.allowFilter=true", "http-backend"],
    {
      env: {
        ...cleanEnvironment(),
        ...extra,
        GIT_PROJECT_ROOT: repository.gitDir,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: service,
        QUERY_STRING: incoming.query.toString(),
        REQUEST_METHOD: incoming.method,
        CONTENT_TYPE: incoming.header("content-type") ?? "",
        ...(length === undefined ? {} : { CONTENT_LENGTH: length }),
        ...(encoding === undefined ? {} : { HTTP_CONTENT_ENCODING: encoding }),
        ...(protocol === undefined ? {} : { GIT_PROTOCOL: protocol }),
        // A reader without a login has none here either: then git would refuse a push by itself.
        REMOTE_USER: login ?? "anonymous",
      },
    },
  );
  child.stderr.resume();
  return child;
}

/** A backend that refuses early closes its input; its answer says why. */
async function feed({ incoming }: BackendCall, input: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(incoming.message, input);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EPIPE" && code !== "ERR_STREAM_PREMATURE_CLOSE" && code !== "ECONNRESET")
      throw error;
  }
}

/** Reads CGI headers up to the blank line. @throws Error when the backend died without any. */
function readHead(stdout: NodeJS.ReadableStream): Promise<CgiAnswer> {
  return new Promise((resolve, reject) => {
    let seen: Buffer = Buffer.alloc(0);
    const done = (): void => {
      stdout.removeListener("readable", more);
      stdout.removeListener("end", ended);
      stdout.removeListener("error", reject);
    };
    const ended = (): void => {
      done();
      reject(new Error("git http-backend gave no answer"));
    };
    const more = (): void => {
      for (let chunk = stdout.read(); chunk !== null; chunk = stdout.read()) {
        seen = Buffer.concat([seen, Buffer.from(chunk)]);
        const end = seen.indexOf("\r\n\r\n");
        if (end < 0) continue;
        done();
        resolve({ ...parseHead(seen.subarray(0, end).toString()), start: seen.subarray(end + 4) });
        return;
      }
    };
    stdout.on("readable", more);
    stdout.on("end", ended);
    stdout.on("error", reject);
  });
}

function parseHead(text: string): Omit<CgiAnswer, "start"> {
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === "status") status = Number.parseInt(value, 10);
    else headers[name] = value;
  }
  return { status, headers };
}

function* headersNow(response: ServerResponse): Generator<[string, string]> {
  for (const [name, value] of Object.entries(response.getHeaders())) yield [name, String(value)];
}
