/** Process entry of the server: `yoke up` starts one, a fleet as many as it likes. Stops on SIGTERM and SIGINT. */
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { connect } from "../../db/client.js";
import { readEnvironment, type Environment } from "../config/environment.js";
import { readSecret, Secret } from "../config/secret.js";
import { EXIT, refuse, type Refusal } from "../core/refusals.js";
import { Refused, type FunctionContext } from "../functions/context.js";
import { ensureSchedules } from "../functions/upkeep-schedules.js";
import { version } from "../functions/version.js";
import { projectClients } from "../github/for-project.js";
import { readDelivery, verifySignature } from "../github/webhook.js";
import { temporalClient, temporalTarget } from "../temporal/connect.js";
import { landingService } from "../temporal/landing-service.js";
import { createApp } from "./app.js";
import { createIntake } from "./intake.js";
import { listen } from "./listen.js";
import { createLog } from "./log.js";
import { createMetrics } from "./metrics.js";
import { repeat } from "./repeat.js";
import { stopWithin } from "./stop-within.js";

const SCHEDULES_EVERY_MS = 60_000;
/** For requests under way, and then for what was accepted: a supervisor waits 15 s before it kills. */
const STOP_MS = 5_000;

/** Neither Postgres nor Temporal is waited for: while one is away, functions answer with its refusal. */
async function main(): Promise<number> {
  const read = readEnvironment();
  if (!read.ok) throw new Refused([read.refusal]);
  const { environment } = read;
  const { databaseUrl, token, port } = needed(environment);
  const target = await temporalTarget(environment);
  const log = createLog({
    level: environment.logLevel,
    destination: pino.destination({ dest: 2, sync: true }),
    secrets: [
      ...passwordOf(databaseUrl),
      await readSecret(token),
      ...(target.apiKey === null ? [] : [new Secret(target.apiKey)]),
    ],
  });
  const database = connect(databaseUrl.reveal());
  const temporal = temporalClient(target);
  const clients = projectClients();
  const landings = landingService(temporal.client, environment.taskQueue);
  const context = (session: string | null): FunctionContext => ({
    db: database.executor,
    landings,
    github: clients.github,
    now: () => new Date().toISOString(),
    newId: randomUUID,
    session,
    taskQueue: environment.taskQueue,
  });
  const person = () => context(null);
  const intake = createIntake({ context: person, log });
  const metrics = createMetrics({
    githubRemaining: (project) => clients.github(project).limits()?.remaining ?? null,
  });
  const app = createApp({
    context,
    token: () => readSecret(token),
    reader: { verifySignature, readDelivery },
    intake,
    metrics,
    log,
  });
  const told = stopSignal();
  const listening = await listen(app, { host: environment.httpHost, port });
  log.info({ url: listening.url, version }, "listening");
  intake.start();
  const scheduled = new Set<string>();
  const schedules = repeat({
    run: () => ensureSchedules(person(), scheduled),
    everyMs: SCHEDULES_EVERY_MS,
    failed: (error) => log.warn({ err: error }, "upkeep schedules are tried again"),
  });
  const signal = await told;
  log.info({ signal }, "stopping");
  await listening.close(STOP_MS);
  const stopped = await stopWithin(STOP_MS, Promise.all([schedules.stop(), intake.stop()]));
  if (!stopped) log.warn({}, "stopped before everything was done; the next process does the rest");
  await database.close();
  return EXIT.ok;
}

function needed(environment: Environment) {
  const { databaseUrl, httpPort, api } = environment;
  if (databaseUrl !== null && httpPort !== null && api.token !== null) {
    return { databaseUrl, port: httpPort, token: api.token };
  }
  const missing = [
    ...(databaseUrl === null ? ["DATABASE_URL is not set."] : []),
    ...(httpPort === null ? ["YOKE_HTTP_PORT is not set."] : []),
    ...(api.token === null ? ["Neither YOKE_API_TOKEN_FILE nor YOKE_API_TOKEN is set."] : []),
  ];
  throw new Refused([refuse("configuration_invalid", missing.join("\n"))]);
}

function passwordOf(url: Secret): readonly Secret[] {
  const { password } = new URL(url.reveal());
  return password === "" ? [] : [new Secret(decodeURIComponent(password))];
}

async function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, resolve);
  });
}

function tell({ code, message, next }: Refusal): void {
  process.stderr.write(`${code}: ${message}\nNext: ${next}\n`);
}

let code: number;
try {
  code = await main();
} catch (error) {
  if (error instanceof Refused) {
    error.refusals.forEach(tell);
    code = error.refusals[0]?.exit ?? EXIT.failed;
  } else {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    code = EXIT.failed;
  }
}
// The Temporal client is not closed: a call it still tries again would then throw where nobody can catch it.
process.exit(code);
