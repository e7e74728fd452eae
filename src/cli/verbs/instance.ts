/** `yoke up` and `yoke down`. */
import { readEnvironment } from "../../config/environment.js";
import { runDown } from "../../embedded/down.js";
import { runUp } from "../../embedded/up.js";
import { Refused } from "../../functions/context.js";
import { say, sayRefusals } from "../print.js";

function dataFolder(given: string | undefined): string | null {
  if (given !== undefined) return given;
  const read = readEnvironment();
  if (read.ok) return read.environment.dataDir;
  sayRefusals([read.refusal]);
  process.exitCode = read.refusal.exit;
  return null;
}

export async function up(options: {
  readonly simulator?: boolean;
  readonly dataDir?: string;
  readonly port?: string;
}): Promise<void> {
  const dataDir = dataFolder(options.dataDir);
  if (dataDir === null) return;
  try {
    process.exitCode = await runUp({
      dataDir,
      simulator: options.simulator === true,
      ...(options.port === undefined ? {} : { httpPort: Number(options.port) }),
      log: say,
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    sayRefusals(error.refusals);
    process.exitCode = error.refusals[0]?.exit ?? 1;
  }
}

export async function down(options: { readonly dataDir?: string }): Promise<void> {
  const dataDir = dataFolder(options.dataDir);
  if (dataDir === null) return;
  const result = await runDown({ dataDir, log: say });
  process.stdout.write(`${result.state.replaceAll("_", " ")}\n`);
  if (result.state === "still_stopping") process.exitCode = 1;
}
