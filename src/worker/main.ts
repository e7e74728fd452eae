/** Process entry of a worker: `yoke up` starts one, a fleet as many as it likes. Stops on SIGTERM and SIGINT. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DefaultLogger, Runtime, type LogEntry } from "@temporalio/worker";
import { pino } from "pino";
import { connect } from "../../db/client.js";
import { readEnvironment } from "../config/environment.js";
import { createGit } from "../git/index.js";
import { projectClients } from "../github/for-project.js";
import { temporalClient, temporalTarget } from "../temporal/connect.js";
import { startWorker } from "./run.js";

/** The workflows as the build bundled them: `dist/workflow-bundle.js`, seen from `dist/src/worker`. */
const bundle = fileURLToPath(new URL("../../workflow-bundle.js", import.meta.url));

async function main(): Promise<number> {
  const read = readEnvironment();
  if (!read.ok) {
    process.stderr.write(
      `${read.refusal.code}: ${read.refusal.message}\nNext: ${read.refusal.next}\n`,
    );
    return read.refusal.exit;
  }
  const { environment } = read;
  const log = pino(
    { level: environment.logLevel, base: { program: "worker" } },
    pino.destination(2),
  );
  Runtime.install({
    logger: new DefaultLogger("WARN", (entry: LogEntry) => {
      log.warn({ temporal: entry.level, meta: entry.meta?.["error"] }, entry.message);
    }),
    shutdownSignals: [],
  });
  if (!existsSync(bundle)) throw new Error("the workflow bundle is missing; run `npm run build`");
  if (environment.databaseUrl === null) throw new Error("DATABASE_URL is not set");
  const target = await temporalTarget(environment);
  const database = connect(environment.databaseUrl.reveal(), { max: 12 });
  const temporal = temporalClient(target);
  const clients = projectClients();
  const worker = await startWorker({
    temporal: target,
    taskQueue: environment.taskQueue,
    workflowBundle: { codePath: bundle },
    client: temporal.client,
    dependencies: {
      db: database.executor,
      git: createGit(),
      github: clients.github,
      gitCredential: clients.gitCredential,
      now: () => new Date().toISOString(),
    },
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => worker.stop());
  log.info({ taskQueue: environment.taskQueue }, "polling");
  try {
    await worker.done;
  } finally {
    await temporal.close();
    await database.close();
  }
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
