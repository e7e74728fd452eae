/** A git server on loopback that asks for a password: `git http-backend` behind node's http. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

import { onTestFinished } from "vitest";

/** Starts a server for this test and answers its origin. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function askForPassword(response: ServerResponse): void {
  response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
}

/** Whether the request shows `username` and `password`. */
export function authorized(
  request: IncomingMessage,
  { username, password }: { readonly username: string; readonly password: string },
): boolean {
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  return request.headers.authorization === `Basic ${basic}`;
}

/** Hands a request to `git http-backend` for the repositories under `root` (RFC 3875, CGI). */
export function gitBackend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const backend = spawn("git", ["-c", "safe.directory=*", "http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(backend.stdin);
  let head = Buffer.alloc(0);
  const readHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    backend.stdout.off("data", readHead);
    const headers = head.toString("latin1", 0, end).split("\r\n");
    let status = 200;
    for (const header of headers) {
      const [name = "", value = ""] = header.split(/: (.*)/);
      if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.writeHead(status).write(head.subarray(end + 4));
    backend.stdout.pipe(response);
  };
  backend.stdout.on("data", readHead);
}
