/** A whole yoke of its own for a bench: what `yoke up --simulator` starts, in a data folder that is gone afterwards. */
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Executor } from "../../db/client.js";
import { startInstance, yoke } from "../../src/cli/demo/programs.js";
import { readServices, type Services } from "../../src/embedded/services-file.js";
import type { Outcome } from "../../src/functions/define.js";
import { SimulatorAdmin } from "../../src/simulator/wire/admin-client.js";
import { temporalClient, type TemporalClient } from "../../src/temporal/connect.js";
import { until } from "./until.js";

/** The task queue of an instance whose environment names none. */
export const taskQueue = "yoke";

export interface Instance {
  readonly home: string;
  readonly services: Services;
  readonly github: SimulatorAdmin;
  readonly db: Executor;
  readonly temporal: TemporalClient;
  /** Asks a function over HTTP, as the command does; a refusal is an answer too. */
  ask<Output>(name: string, input: unknown): Promise<Outcome<Output>>;
  /** The output; throws when the function refuses. */
  must<Output>(name: string, input: unknown): Promise<Output>;
}

/** Runs `work` on a fresh instance, and leaves nothing of it. */
export async function withInstance<T>(work: (instance: Instance) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), "yoke-bench-"));
  // The embedded Postgres of a root user runs as another one, who must get in.
  await chmod(home, 0o755);
  const dataDir = join(home, "data");
  let talk = "";
  const process = startInstance(dataDir, (text) => (talk += text));
  const exited = once(process, "exit");
  try {
    const services = await until("the start of the services", () => {
      if (process.exitCode !== null) throw new Error(`yoke up ended: ${talk}`);
      return /^Simulated GitHub/m.test(talk) ? readServices(dataDir) : null;
    });
    const database = connect(services.databaseUrl, { max: 4 });
    const temporal = temporalClient({
      address: services.temporalAddress,
      namespace: "default",
      tls: null,
      apiKey: null,
    });
    try {
      const token = (await readFile(services.tokenFile, "utf8")).trim();
      const ask = <Output>(name: string, input: unknown) =>
        askFunction<Output>(services.apiUrl, token, name, input);
      return await work({
        home,
        services,
        github: new SimulatorAdmin(services.simulatorUrl ?? ""),
        db: database.executor,
        temporal,
        ask,
        must: async <Output>(name: string, input: unknown) => {
          const outcome = await ask<Output>(name, input);
          if (!outcome.ok) throw new Error(`${name}: ${JSON.stringify(outcome.refusals)}`);
          return outcome.output;
        },
      });
    } finally {
      await temporal.close();
      await database.close();
    }
  } finally {
    await yoke(dataDir, ["down", "--data-dir", dataDir]);
    await exited;
    await rm(home, { recursive: true, force: true });
  }
}

async function askFunction<Output>(
  url: string,
  token: string,
  name: string,
  input: unknown,
): Promise<Outcome<Output>> {
  const answer = await fetch(`${url}/api/functions/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return (await answer.json()) as Outcome<Output>;
}
