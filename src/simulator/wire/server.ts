/** The HTTP server: one request from its arrival to its answer. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { timestamp } from "../clock.js";
import { adminAnswer, isAdminPath } from "./admin/endpoint.js";
import { type Outcome, withFault } from "./fault-effects.js";
import { gitHandling } from "./git/git-server.js";
import { graphqlHandling } from "./graphql/endpoint.js";
import type { Faults } from "./faults.js";
import type { Exchange, Handling } from "./handling.js";
import type { Answer } from "./http/answer.js";
import { message, notFound, refusedAnswer } from "./refusals.js";
import { Incoming } from "./http/incoming.js";
import { pageHandling } from "./pages/endpoint.js";
import { restHandling } from "./rest/endpoint.js";
import type { Services } from "./services.js";

/** Not listening yet. */
export function serverOf(services: Services): Server {
  const server = createServer((request, response) => {
    void answer(services, request, response);
  });
  // A push may take its time; faults hold answers back on purpose.
  server.requestTimeout = 0;
  // Longer than clients keep a connection, so that none is closed under a request.
  server.keepAliveTimeout = 30_000;
  return server;
}

async function answer(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { world } = services;
  const incoming = new Incoming(request);
  response.sendDate = false;
  // Clients read GitHub's clock from here.
  response.setHeader("date", new Date(world.clock.now()).toUTCString());
  response.on("error", () => undefined);
  if (isAdminPath(incoming.path)) {
    write(response, incoming, await adminAnswer(services, incoming));
    return;
  }
  response.setHeader("x-github-request-id", requestId());
  const handling = await handlingOf(services, incoming);
  const outcome = await logged(services, incoming, response, handling);
  if (outcome.kind === "cut") cut(response, outcome.half);
  else if (outcome.handled !== "streamed") write(response, incoming, outcome.handled);
}

/** Runs it under a fault if one is due, and puts it in the log with how it ended. */
async function logged(
  { world, log, faults }: Services,
  incoming: Incoming,
  response: ServerResponse,
  handling: Handling,
): Promise<Outcome> {
  const { kind, route, operation = null, fields = [], selected = new Set() } = handling;
  const { method, path } = incoming;
  const request = log.begin({
    at: timestamp(world.clock),
    kind,
    method,
    path,
    route,
    operation,
    fields,
    unexpected: handling.unexpected ?? null,
  });
  const fault = faults.take({ kind, method, path, route, operation, selected });
  request.fault = fault?.id ?? null;
  const began = performance.now();
  const outcome = await attempt(handling, { incoming, response, logged: request, fault }, faults);
  log.end(request, statusOf(outcome, response), Math.round(performance.now() - began));
  return outcome;
}

async function attempt(handling: Handling, exchange: Exchange, faults: Faults): Promise<Outcome> {
  try {
    return await withFault(handling, exchange, faults);
  } catch (error) {
    const refused = refusedAnswer(error);
    if (refused !== null) return { kind: "handled", handled: refused };
    // Whoever hung up wants no answer, and the broken stream is no failure of ours.
    if (exchange.response.destroyed && isBrokenStream(error)) return { kind: "cut", half: null };
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    exchange.logged.unexpected ??= `the simulator failed: ${text}`;
    if (exchange.response.headersSent) return { kind: "cut", half: null };
    return { kind: "handled", handled: message(500, text) };
  }
}

function isBrokenStream(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}

function statusOf(outcome: Outcome, response: ServerResponse): number {
  if (outcome.kind === "cut") return 0;
  return outcome.handled === "streamed" ? response.statusCode : outcome.handled.status;
}

async function handlingOf(services: Services, incoming: Incoming): Promise<Handling> {
  const { method, path } = incoming;
  if (method === "POST" && /^\/(api\/)?graphql\/?$/.test(path))
    return graphqlHandling(services, incoming);
  return (
    gitHandling(services, incoming) ??
    restHandling(services, incoming) ??
    pageHandling(services, incoming) ?? {
      kind: "unknown",
      route: `${method} ${path}`,
      unexpected: `${method} ${path} is not simulated`,
      answer: notFound,
    }
  );
}

function write(response: ServerResponse, incoming: Incoming, answer: Answer): void {
  if (response.destroyed) return;
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(answer.status === 204 || answer.status === 304
      ? {}
      : { "content-length": String(answer.body.length) }),
  });
  response.end(incoming.method === "HEAD" ? undefined : answer.body);
  // What a refusal left unread would be taken for the next request.
  incoming.message.resume();
}

function cut(response: ServerResponse, half: Answer | null): void {
  if (half === null) {
    response.destroy();
    return;
  }
  response.writeHead(half.status, {
    ...half.headers,
    "content-length": String(half.body.length),
  });
  response.write(half.body.subarray(0, half.body.length / 2), () => response.destroy());
}

/** Colon-separated hex, as GitHub's (github-facts 2.8). */
function requestId(): string {
  const part = (bytes: number): string => randomBytes(bytes).toString("hex").toUpperCase();
  return [part(2), part(3), part(4), part(4), part(4)].join(":");
}
