/** A Temporal on a file and a durable Postgres: killed while they work, and started again on the same port and data. */
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../db/migrate.js";
import { startPostgres, type RunningPostgres } from "../../src/embedded/postgres.js";
import { clusterProcesses } from "../../src/embedded/postgres-orphans.js";
import { stopProcesses } from "../../src/embedded/process-identity.js";
import { startTemporal, type RunningTemporal } from "../../src/embedded/temporal.js";
import { findTemporal } from "../../src/embedded/temporal-binary.js";
import type { DatabaseService, TemporalService } from "../setup/answers.js";
import type { Victim } from "./step.js";

export type Server = Exclude<Victim, "worker">;

const namespace = "default";
const log = (): void => undefined;

export class Servers {
  readonly #folder: string;
  readonly #binary: string;
  #temporal: RunningTemporal;
  #postgres: RunningPostgres;
  /** The start of what was killed. */
  #coming: Promise<void> = Promise.resolve();

  private constructor(
    folder: string,
    binary: string,
    temporal: RunningTemporal,
    postgres: RunningPostgres,
  ) {
    this.#folder = folder;
    this.#binary = binary;
    this.#temporal = temporal;
    this.#postgres = postgres;
  }

  static async start(): Promise<Servers> {
    // Below the folder of the test run, whose sentinel ends what a killed run leaves.
    const folder = await mkdtemp(join(process.env["YOKE_TEST_RUN"] ?? tmpdir(), "servers-"));
    // Postgres of a root user runs as another one, who must get in.
    await chmod(folder, 0o755);
    const { path } = await findTemporal({ log });
    const [temporal, postgres] = await Promise.all([
      temporalIn(folder, path),
      postgresIn(folder).then(async (running) => {
        await migrate(running.url);
        return running;
      }),
    ]);
    return new Servers(folder, path, temporal, postgres);
  }

  get temporal(): TemporalService {
    return { address: this.#temporal.address, namespace };
  }

  get postgres(): DatabaseService {
    return { templateUrl: this.#postgres.url };
  }

  /** SIGKILL of every process of a server; resolves when they are gone, and others are on their way. */
  async kill(server: Server): Promise<void> {
    if (server === "Temporal") {
      await stopProcesses([this.#temporal.identity], [["SIGKILL", 10_000]]);
      await this.#temporal.exited;
    } else {
      // Its children lead groups of their own.
      const cluster = await realpath(join(this.#folder, "postgres", "cluster"));
      await stopProcesses(await clusterProcesses(cluster), [["SIGKILL", 10_000]]);
      await this.#postgres.exited;
    }
    this.#coming = this.#startAgain(server);
    // Told to whoever waits in `up`.
    this.#coming.catch(() => undefined);
  }

  /** Resolves when what was killed answers again. */
  async up(): Promise<void> {
    await this.#coming;
  }

  async stop(): Promise<void> {
    await this.#coming.catch(() => undefined);
    await Promise.all([this.#temporal.stop(), this.#postgres.stop()]);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #startAgain(server: Server): Promise<void> {
    if (server === "Temporal")
      this.#temporal = await temporalIn(this.#folder, this.#binary, this.#temporal.port);
    else this.#postgres = await postgresIn(this.#folder, this.#postgres.port);
  }
}

function temporalIn(folder: string, binary: string, port?: number): Promise<RunningTemporal> {
  const dataDir = join(folder, "temporal");
  const again = port === undefined ? {} : { port };
  return startTemporal({ dataDir, binary, headless: true, namespace, log, ...again });
}

function postgresIn(folder: string, port?: number): Promise<RunningPostgres> {
  const again = port === undefined ? {} : { port };
  return startPostgres({ dataDir: join(folder, "postgres"), log, ...again });
}
