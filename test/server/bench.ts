/** The server on a real port and a real database, with the doubles of what is outside. */
import { createHmac } from "node:crypto";
import { afterEach } from "vitest";
import { query } from "../db/cluster.js";
import { addProject } from "../../db/projects.js";
import { Secret } from "../../src/config/secret.js";
import type { Project } from "../../src/core/records.js";
import { createApp } from "../../src/server/app.js";
import type { TokenSource } from "../../src/server/bearer.js";
import { createIntake, type Intake, type IntakeOptions } from "../../src/server/intake.js";
import { listen, type Listening } from "../../src/server/listen.js";
import type { Log } from "../../src/server/log.js";
import { createMetrics } from "../../src/server/metrics.js";
import { readDelivery, verifySignature } from "../../src/github/webhook.js";
import type { World } from "./world.js";

export const apiToken = "a-token-nobody-guesses";
export const webhookSecret = "a-webhook-secret";
export const webhookVariable = "YOKE_TEST_WEBHOOK_SECRET";

export interface Served extends Listening {
  readonly intake: Intake;
  /** What was logged, as level and message. */
  readonly logged: readonly string[];
  /** Calls a function with the token. */
  call(name: string, input?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Sends a delivery as GitHub does. */
  deliver(connection: string, delivery?: Sent): Promise<Response>;
}

export interface Sent {
  readonly guid?: string;
  readonly event?: string;
  readonly payload?: unknown;
  /** Sent instead of the payload's JSON. */
  readonly body?: string;
  readonly secret?: string;
  readonly headers?: Record<string, string | undefined>;
}

/** `token`: how the server reads its own. */
type ServeOptions = Partial<IntakeOptions> & { readonly token?: TokenSource };

let guids = 0;

/** Serves `world`; everything is closed after the test. */
export function servesWorlds(): (world: World, options?: ServeOptions) => Promise<Served> {
  const open: Served[] = [];
  process.env[webhookVariable] = webhookSecret;
  afterEach(async () => {
    for (const one of open.splice(0)) {
      await one.close(1000);
      await one.intake.stop();
    }
  });
  return async (world, options = {}) => {
    const served = await serveWorld(world, options);
    open.push(served);
    return served;
  };
}

async function serveWorld(world: World, options: ServeOptions): Promise<Served> {
  const logged: string[] = [];
  const line = (level: string) => (_fields: unknown, message?: string) => {
    logged.push(`${level}: ${message ?? ""}`);
  };
  const log: Log = {
    debug: line("debug"),
    info: line("info"),
    warn: line("warn"),
    error: line("error"),
  };
  const context = (session: string | null) => world.context(session);
  const intake = createIntake({ context: () => context(null), log, ...options });
  const app = createApp({
    context,
    token: options.token ?? (() => Promise.resolve(new Secret(apiToken))),
    reader: { verifySignature, readDelivery },
    intake,
    metrics: createMetrics(),
    log,
  });
  const listening = await listen(app, { host: "127.0.0.1", port: 0 });
  return {
    ...listening,
    intake,
    logged,
    call: (name, input = {}, headers = {}) =>
      fetch(`${listening.url}/api/functions/${name}`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiToken}`, ...headers },
        body: JSON.stringify(input),
      }),
    deliver: (connection, delivery = {}) => send(listening.url, connection, delivery),
  };
}

function send(url: string, connection: string, delivery: Sent): Promise<Response> {
  guids += 1;
  const body = delivery.body ?? JSON.stringify(delivery.payload ?? {});
  const key = delivery.secret ?? webhookSecret;
  const headers: Record<string, string | undefined> = {
    "content-type": "application/json",
    "x-github-delivery": delivery.guid ?? `guid-${String(guids)}`,
    "x-github-event": delivery.event ?? "pull_request",
    "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(body).digest("hex")}`,
    ...delivery.headers,
  };
  return fetch(`${url}/webhooks/github/${connection}`, {
    method: "POST",
    headers: Object.fromEntries(
      Object.entries(headers).filter((one): one is [string, string] => one[1] !== undefined),
    ),
    body,
  });
}

let projects = 0;

/** A project whose webhooks are signed with `webhookSecret`. */
export async function hookedProject(world: World): Promise<Project> {
  projects += 1;
  return addProject(world.db, {
    key: `HK${String(projects)}`,
    owner: "acme",
    name: "widgets",
    repositoryId: 500 + projects,
    apiUrl: "https://api.github.example",
    gateBranch: "main",
    credential: { kind: "token", token: "env:NOT_READ" },
    connection: `hook-${String(projects)}`,
    webhookSecret: `env:${webhookVariable}`,
    requirementDigest: "digest",
    requirement: "npm test",
    upkeepSeconds: 60,
    at: world.time,
  });
}

/** The payload of an event about a pull request. */
export function about(project: Pick<Project, "repositoryId">, number: number, action = "dequeued") {
  return { action, repository: { id: project.repositoryId }, pull_request: { number } };
}

export interface StoredDelivery {
  readonly guid: string;
  readonly processed: boolean;
}

export async function storedDeliveries(
  world: World,
  connection: string,
): Promise<readonly StoredDelivery[]> {
  return query(
    world.url,
    `select guid, processed_at is not null as processed
     from webhook_deliveries where connection = $1 order by guid`,
    [connection],
  );
}
