/** `yoke up`: everything of one machine under one supervisor (design.md "Running it"). */
import { resolve } from "node:path";
import { EXIT, type ExitStatus } from "../core/refusals.js";
import { Refused } from "../functions/context.js";
import { ensureToken, prepareDataFolder, type DataFolder } from "./data-folder.js";
import { lockInstance } from "./instance.js";
import { clearLeftovers } from "./leftovers.js";
import type { Log } from "./log.js";
import { builtPrograms, superviseListener, superviseProgram, type Programs } from "./programs.js";
import type { ServiceProcess } from "./service-process.js";
import { describeServices, type ServiceName, type Services } from "./services-file.js";
import { openRecord, type ServicesRecord } from "./services-record.js";
import { choosePorts } from "./stable-ports.js";
import { openDatabase, openTemporal, prepareDatabase, type StoreOptions } from "./stores.js";
import type { Supervised } from "./supervise.js";

export interface UpOptions {
  readonly dataDir: string;
  /** With the simulated GitHub. */
  readonly simulator: boolean;
  /** Exactly this port for the HTTP interface. Default: that of the last run, or a free one. */
  readonly httpPort?: number;
  /** Progress and where everything is, one line each. */
  readonly log: Log;
  /** Called once, when everything answers. */
  readonly onReady?: (services: Services) => void;
  /** Stops the instance, like SIGINT, SIGTERM and SIGHUP do. */
  readonly stop?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the compiled programs of this package. */
  readonly programs?: Programs;
}

/**
 * Runs until it is told to stop; then stops everything, last started first, each within a bound. A
 * run that was killed is cleared up by the next one. Throws `Refused` (`instance_running`,
 * `port_in_use`, `data_folder_unusable`, `postgres_start_failed`, `temporal_binary_unavailable`,
 * `service_start_failed`), and nothing of this run is left then.
 */
export async function runUp(options: UpOptions): Promise<ExitStatus> {
  const stop = stopRequest(options.stop);
  try {
    const folder = await prepareDataFolder(resolve(options.dataDir));
    const lock = await lockInstance(folder.path);
    try {
      await runLocked(options, folder, stop.signal);
    } finally {
      await lock.release();
    }
    return EXIT.ok;
  } catch (error) {
    if (stop.signal.aborted && error === stop.signal.reason) return EXIT.ok;
    throw error;
  } finally {
    stop.forget();
  }
}

async function runLocked(options: UpOptions, folder: DataFolder, stop: AbortSignal): Promise<void> {
  await clearLeftovers(folder, options.log);
  await ensureToken(folder);
  const run = new Run(options, folder, stop);
  try {
    await run.start();
    await untilAborted(stop);
    options.log("Stopping");
  } finally {
    await run.stop();
  }
}

/** The services of one run, in the order they were started. */
class Run {
  readonly #options: UpOptions;
  readonly #folder: DataFolder;
  readonly #stop: AbortSignal;
  /** Services that start together, and stop together, form one layer. */
  readonly #layers: Supervised<ServiceProcess>[][] = [];
  readonly #early = new Map<ServiceName, ServiceProcess>();
  #record: ServicesRecord | null = null;

  constructor(options: UpOptions, folder: DataFolder, stop: AbortSignal) {
    this.#options = options;
    this.#folder = folder;
    this.#stop = stop;
  }

  async start(): Promise<void> {
    const { log, simulator, httpPort, programs = builtPrograms } = this.#options;
    const outer = this.#options.env ?? process.env;
    const ports = await choosePorts(this.#folder.portsFile, httpPort);
    const { database, temporal } = await this.#openStores({
      folder: this.#folder,
      ports,
      env: outer,
      log,
      started: (name, process) => this.#note(name, process),
      stop: this.#stop,
    });
    await prepareDatabase(database.url);
    this.#stop.throwIfAborted();
    const record = openRecord(this.#folder.path, {
      ...apiPlaces(ports.of("http")),
      tokenFile: this.#folder.tokenFile,
      temporalUiUrl: temporal.uiUrl,
      temporalAddress: temporal.address,
      databaseUrl: database.url,
      ...(simulator ? { simulatorUrl: loopbackUrl(ports.of("simulator")) } : {}),
    });
    this.#record = record;
    for (const [name, process] of this.#early) record.note(name, process);
    const env = {
      ...outer,
      ...temporal.env,
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      // One of the two, and the file is the one this instance made.
      YOKE_API_TOKEN: "",
      YOKE_API_TOKEN_FILE: this.#folder.tokenFile,
      YOKE_DATA_DIR: this.#folder.path,
    };
    if (simulator) {
      const service = await ports.starting(["simulator"], () => {
        const port = ports.of("simulator");
        record.moved({ simulatorUrl: loopbackUrl(port) });
        const args = ["--data", this.#folder.simulator, "--port", String(port)];
        const program = this.#program("simulator", programs.simulator, args, env);
        return superviseListener(program, port, this.#stop);
      });
      this.#layers.push([service]);
      Object.assign(env, { YOKE_SIMULATOR_URL: loopbackUrl(ports.of("simulator")) });
    }
    const worker = await superviseProgram(this.#program("worker", programs.worker, [], env));
    const layer = [worker];
    this.#layers.push(layer);
    const server = await ports.starting(["http"], () => {
      const port = ports.of("http");
      record.moved(apiPlaces(port));
      const withPort = { ...env, YOKE_HTTP_PORT: String(port) };
      const program = this.#program("server", programs.server, [], withPort);
      return superviseListener(program, port, this.#stop);
    });
    layer.push(server);
    const services = record.current();
    for (const line of describeServices(services)) log(line);
    this.#options.onReady?.(services);
  }

  /** Last started first. A service that cannot be stopped does not keep the others running. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (const layer of this.#layers.toReversed()) {
      const ends = await Promise.allSettled(layer.map((service) => service.stop()));
      for (const end of ends) if (end.status === "rejected") failures.push(end.reason);
    }
    this.#record?.close();
    if (failures.length > 0) throw new AggregateError(failures, "not everything could be stopped");
  }

  /** Both at once; when both fail, both reasons are told. */
  async #openStores(options: StoreOptions) {
    const [database, temporal] = await Promise.allSettled([
      openDatabase(options),
      openTemporal(options),
    ]);
    const layer: Supervised<ServiceProcess>[] = [];
    for (const store of [database, temporal]) {
      if (store.status === "fulfilled" && store.value.service !== null) {
        layer.push(store.value.service);
      }
    }
    this.#layers.push(layer);
    this.#stop.throwIfAborted();
    if (database.status === "fulfilled" && temporal.status === "fulfilled") {
      return { database: database.value, temporal: temporal.value };
    }
    throw bothReasons(
      [database, temporal].flatMap((store) => ("reason" in store ? [store.reason as unknown] : [])),
    );
  }

  #program(name: ServiceName, script: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    return {
      name,
      script,
      args,
      env,
      logFile: this.#folder.logFile(name),
      started: (process: ServiceProcess) => this.#note(name, process),
      log: this.#options.log,
    };
  }

  #note(name: ServiceName, process: ServiceProcess): void {
    if (this.#record === null) this.#early.set(name, process);
    else this.#record.note(name, process);
  }
}

function loopbackUrl(port: number): string {
  return `http://127.0.0.1:${String(port)}`;
}

function apiPlaces(port: number): Pick<Services, "apiUrl" | "boardUrl"> {
  const apiUrl = loopbackUrl(port);
  return { apiUrl, boardUrl: `${apiUrl}/` };
}

/** Refusals are told together; anything else is a fault and goes first. */
function bothReasons(reasons: readonly unknown[]): unknown {
  const refusals = reasons.flatMap((reason) => (reason instanceof Refused ? reason.refusals : []));
  return reasons.find((reason) => !(reason instanceof Refused)) ?? new Refused(refusals);
}

function stopRequest(outer: AbortSignal | undefined): {
  readonly signal: AbortSignal;
  forget(): void;
} {
  const asked = new AbortController();
  const onSignal = (): void => asked.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: outer === undefined ? asked.signal : AbortSignal.any([asked.signal, outer]),
    forget: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
