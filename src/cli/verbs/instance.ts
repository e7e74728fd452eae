/** `yoke up` and `yoke down`. */
import { readEnvironment } from "../../config/environment.js";
import { EXIT, refuse } from "../../core/refusals.js";
import { runDown } from "../../embedded/down.js";
import { runUp } from "../../embedded/up.js";
import { Refused } from "../../functions/context.js";
import { refused } from "../call.js";
import { report, say, sayRefusals } from "../print.js";

function dataFolder(given: string | undefined): string | null {
  if (given !== undefined) return given;
  const read = readEnvironment();
  if (read.ok) return read.environment.dataDir;
  sayRefusals([read.refusal]);
  process.exitCode = read.refusal.exit;
  return null;
}

function portNumber(given: string): number {
  const port = Number(given);
  if (/^\d+$/.test(given) && port >= 1 && port <= 65_535) return port;
  throw new Refused([refuse("input_invalid", `--port: ${given} is not between 1 and 65535.`)]);
}

/** Runs `act`; the refusals it throws are printed, and their exit status is the command's. */
async function orRefused(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    report("instance", refused(...error.refusals), {}, () => "");
  }
}

export async function up(options: {
  readonly simulator?: boolean;
  readonly dataDir?: string;
  readonly port?: string;
}): Promise<void> {
  const dataDir = dataFolder(options.dataDir);
  if (dataDir === null) return;
  await orRefused(async () => {
    process.exitCode = await runUp({
      dataDir,
      simulator: options.simulator === true,
      ...(options.port === undefined ? {} : { httpPort: portNumber(options.port) }),
      log: say,
    });
  });
}

export async function down(options: { readonly dataDir?: string }): Promise<void> {
  const dataDir = dataFolder(options.dataDir);
  if (dataDir === null) return;
  await orRefused(async () => {
    const result = await runDown({ dataDir, log: say });
    process.stdout.write(`${result.state.replaceAll("_", " ")}\n`);
    if (result.state === "still_stopping") process.exitCode = EXIT.failed;
  });
}
