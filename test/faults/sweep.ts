/** Tells a story once for each planned fault, in several worlds at once, and keeps the table of it. */
import { Servers } from "./servers.js";
import type { FaultKind, Planned, Step } from "./step.js";
import { isMeaningful } from "./step.js";
import { runSwept, type SweptStory } from "./swept-run.js";
import { outcome, table, type Row } from "./table.js";

export class Sweep {
  readonly #story: SweptStory;
  /** One for each world at once: a run mostly waits until somebody notices that something is gone. */
  readonly #worlds: readonly (Servers | null)[];
  readonly #rows: Row[] = [];

  private constructor(story: SweptStory, worlds: readonly (Servers | null)[]) {
    this.#story = story;
    this.#worlds = worlds;
  }

  /** Over the servers of the test run. */
  static over(story: SweptStory): Sweep {
    return new Sweep(
      story,
      Array.from({ length: 6 }, () => null),
    );
  }

  /** Over servers that can be killed: each world has its own, for one run after another. */
  static async withServers(story: SweptStory): Promise<Sweep> {
    return new Sweep(story, await Promise.all(Array.from({ length: 4 }, () => Servers.start())));
  }

  /** Every fault of these kinds at each of the steps; what did not land once and only once. */
  async of(steps: readonly Step[], kinds: readonly FaultKind[]): Promise<string[]> {
    const plans = steps.flatMap((step) => kinds.map((kind): Planned => ({ step, kind })));
    if (plans.length === 0) throw new Error("the story has no such step");
    const swept: Row[] = plans.map((planned) => ({ planned, run: null }));
    const todo = [...plans.keys()].filter((at) => isMeaningful(plans[at] as Planned));
    const world = async (servers: Servers | null) => {
      for (let at = todo.shift(); at !== undefined; at = todo.shift()) {
        const planned = plans[at] as Planned;
        swept[at] = { planned, run: await runSwept(this.#story, planned, servers) };
      }
    };
    // All of them end, also when one throws: each has processes of its own.
    const worlds = await Promise.allSettled(this.#worlds.map(world));
    for (const one of worlds) if (one.status === "rejected") throw one.reason;
    this.#rows.push(...swept);
    return swept
      .filter(({ run }) => run !== null)
      .map((row) => ({ row, words: outcome(row) }))
      .filter(({ words }) => !words.startsWith("landed"))
      .map(({ words }) => words);
  }

  /** Prints the table, and stops the servers. */
  async end(): Promise<void> {
    await Promise.all(this.#worlds.map(async (servers) => servers?.stop()));
    process.stdout.write(`\n${table(this.#rows)}\n`);
  }
}
