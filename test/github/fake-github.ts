/**
 * A GitHub that answers what a test tells it to, over real sockets. It takes no document that the public schema
 * refuses, and no variables that do not fit it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { getVariableValues, Kind, parse } from "graphql";
import { expect, onTestFinished } from "vitest";

import { Secret } from "../../src/config/secret.js";
import { createGitHub, type GitHubClient } from "../../src/github/client.js";
import type { TransportOptions } from "../../src/github/transport.js";
import { problemsOf, publicSchema } from "./schema.js";

export interface Sent {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** Name of the GraphQL operation; empty for REST. */
  readonly operation: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What the fake does with a request: a reply, a connection cut without a word, one cut in the answer, or silence. */
export type Behaviour = (sent: Sent) => Reply | "cut" | "broken" | "silent";

export interface FakeGitHub {
  readonly url: string;
  readonly sent: readonly Sent[];
}

export const TOKEN = "ghp_canaryCanaryCanary0123456789";

/** Starts one for the running test, which also ends it. */
export async function fakeGitHub(behaviour: Behaviour): Promise<FakeGitHub> {
  const sent: Sent[] = [];
  const unexpected: unknown[] = [];
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const one = await receive(request);
      sent.push(one);
      answer(behaviour(one), request, response);
    } catch (error) {
      unexpected.push(error);
      answer({ status: 400, body: { message: String(error) } }, request, response);
    }
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(unexpected).toEqual([]);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/api/v3`, sent };
}

export function clientOf(
  github: Pick<FakeGitHub, "url">,
  options: Partial<TransportOptions> = {},
): GitHubClient {
  return createGitHub({
    apiUrl: github.url,
    credential: { kind: "token", token: new Secret(TOKEN) },
    ...options,
  });
}

/** A fake and its client in one step. */
export async function github(
  behaviour: Behaviour,
  options: Partial<TransportOptions> = {},
): Promise<FakeGitHub & { readonly client: GitHubClient }> {
  const fake = await fakeGitHub(behaviour);
  return { ...fake, client: clientOf(fake, options) };
}

async function receive(request: IncomingMessage): Promise<Sent> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const path = request.url ?? "";
  const rest = { path, headers: request.headers };
  if (!path.endsWith("/graphql")) return { ...rest, operation: "", document: "", variables: {} };
  const { query, variables } = JSON.parse(text) as {
    query: string;
    variables: Record<string, unknown>;
  };
  return { ...rest, operation: accepted(query, variables), document: query, variables };
}

function accepted(document: string, variables: Record<string, unknown>): string {
  const problems = problemsOf(document);
  const [operation] = parse(document).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error("no operation comes first");
  const { errors } = getVariableValues(
    publicSchema(),
    operation.variableDefinitions ?? [],
    variables,
  );
  const all = [...problems, ...(errors ?? []).map(({ message }) => message)];
  if (all.length > 0) throw new Error(`GitHub would refuse this: ${all.join("; ")}`);
  return operation.name?.value ?? "";
}

function answer(
  reply: ReturnType<Behaviour>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (reply === "silent") return;
  if (reply === "cut") {
    request.socket.destroy();
    return;
  }
  if (reply === "broken") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"data":{"enqueuePull', () => request.socket.destroy());
    return;
  }
  const { status = 200, headers = {}, body = {} } = reply;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, {
    "content-type": typeof body === "string" ? "text/html" : "application/json; charset=utf-8",
    ...headers,
  });
  response.end(text);
}
