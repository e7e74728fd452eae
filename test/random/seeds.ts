/** Runs seeds, a few worlds at once, and prints what came of them. */
import { runSeed, type RandomRun, type Seed } from "./run.js";

/** A run mostly waits: for a killed worker, for git, for the answer of a command. */
const atOnce = 4;

/** Every seed that went wrong, with what was seen and how to run it again. */
export async function runSeeds(seeds: readonly Seed[]): Promise<string[]> {
  const todo = [...seeds];
  const runs: RandomRun[] = [];
  const world = async () => {
    for (let seed = todo.shift(); seed !== undefined; seed = todo.shift()) {
      const run = await runSeed(seed);
      runs.push(run);
      if (run.wrong !== null) say(wrongSeed(run));
      else if (runs.length % 20 === 0) say(`${runs.length} of ${seeds.length} seeds`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, world));
  say(summary(runs));
  return runs.flatMap((run) => (run.wrong === null ? [] : [wrongSeed(run)]));
}

/** At once: half an hour of seeds may be cut off before its end. */
function say(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

function wrongSeed({ seed, steps, wrong }: RandomRun): string {
  return `seed ${seed} (YOKE_SEED=${seed} YOKE_STEPS=${steps}): ${wrong ?? "nothing"}`;
}

function summary(runs: readonly RandomRun[]): string {
  const stops = new Map<string, number>();
  for (const run of runs) {
    for (const [reason, count] of run.stops) stops.set(reason, (stops.get(reason) ?? 0) + count);
  }
  const sum = (of: (run: RandomRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  return [
    `seeds run       ${runs.length}`,
    `steps           ${sum(({ steps }) => steps)}`,
    `landings        ${sum(({ landed }) => landed)}`,
    `stops           ${sum(({ stops }) => [...stops.values()].reduce((a, b) => a + b, 0))}`,
    ...[...stops].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([r, n]) => `  ${r.padEnd(22)}${n}`),
    `broken          ${sum(({ wrong }) => (wrong === null ? 0 : 1))}`,
  ].join("\n");
}
