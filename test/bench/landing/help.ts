/** Start-up of `yoke --help` over that of an empty Node program: medians of one alternating run. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { figure, median, type Figure } from "../figures.js";
import type { Say } from "../main.js";

const run = promisify(execFile);
const program = fileURLToPath(new URL("../../../src/cli/main.cjs", import.meta.url));
const rounds = 31;

export async function benchHelp(say: Say): Promise<Figure[]> {
  say(`${rounds} times yoke --help and node -e 0, in turn`);
  const help: number[] = [];
  const empty: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    empty.push(await timed(["-e", "0"]));
    help.push(await timed([program, "--help"]));
  }
  return [figure("help_ratio", median(help) / median(empty), "ratio")];
}

async function timed(args: readonly string[]): Promise<number> {
  const began = performance.now();
  await run(process.execPath, [...args]);
  return performance.now() - began;
}
