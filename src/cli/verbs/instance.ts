/** `yoke up` and `yoke down`. */
import { resolve } from "node:path";
import { readEnvironment } from "../../config/environment.js";
import { EXIT, refuse } from "../../core/refusals.js";
import { runDown } from "../../embedded/down.js";
import type { Services } from "../../embedded/services-file.js";
import { runUp } from "../../embedded/up.js";
import { Refused } from "../../functions/context.js";
import { refused } from "../call.js";
import { report, say } from "../print.js";

interface InstanceOptions {
  readonly dataDir?: string;
  readonly json?: boolean;
}

function dataFolder({ dataDir }: InstanceOptions): string {
  if (dataDir !== undefined) return resolve(dataDir);
  const read = readEnvironment();
  if (!read.ok) throw new Refused([read.refusal]);
  return resolve(read.environment.dataDir);
}

function portNumber(given: string): number {
  const port = Number(given);
  if (/^\d+$/.test(given) && port >= 1 && port <= 65_535) return port;
  throw new Refused([refuse("input_invalid", `--port: ${given} is not between 1 and 65535.`)]);
}

/** Runs `act`; the refusals it throws are the command's outcome. */
async function orRefused(
  verb: string,
  options: InstanceOptions,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    report(verb, refused(...error.refusals), options, () => "");
  }
}

/** Where everything is, for a program. The password of the database stays in `services.json`, which is its owner's. */
function placesOf(dataDir: string, services: Services) {
  const { apiUrl, boardUrl, temporalUiUrl, simulatorUrl = null, pids } = services;
  const portOf = (url: string | null) => (url === null ? null : Number(new URL(url).port));
  return {
    dataDir,
    urls: { api: apiUrl, board: boardUrl, temporalUi: temporalUiUrl, simulator: simulatorUrl },
    temporalAddress: services.temporalAddress,
    tokenFile: services.tokenFile,
    /** Null: not part of this instance. */
    ports: {
      http: portOf(apiUrl),
      temporal: pids.temporal === null ? null : portOf(`http://${services.temporalAddress}`),
      temporalUi: portOf(temporalUiUrl),
      postgres: pids.postgres === null ? null : portOf(services.databaseUrl),
      simulator: portOf(simulatorUrl),
    },
    pids,
  };
}

export async function up(
  options: InstanceOptions & { readonly simulator?: boolean; readonly port?: string },
): Promise<void> {
  await orRefused("up", options, async () => {
    const dataDir = dataFolder(options);
    process.exitCode = await runUp({
      dataDir,
      simulator: options.simulator === true,
      ...(options.port === undefined ? {} : { httpPort: portNumber(options.port) }),
      log: say,
      onReady: (services) => {
        const output = placesOf(dataDir, services);
        report("up", { ok: true, output, exit: EXIT.ok }, options, () => "");
      },
    });
  });
}

export async function down(options: InstanceOptions): Promise<void> {
  await orRefused("down", options, async () => {
    const dataDir = dataFolder(options);
    const result = await runDown({ dataDir, log: say });
    const exit = result.state === "still_stopping" ? EXIT.failed : EXIT.ok;
    report("down", { ok: true, output: { dataDir, ...result }, exit }, options, ({ state }) => {
      return `${state.replaceAll("_", " ")}\n`;
    });
  });
}
