/** `world.json`: read at the start, written soon after a change and on close, never half. */
import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { emptyState, type State } from "./state.js";

const FILE = "world.json";
const SAVE_AFTER_MS = 1_000;
/** Newest deliveries kept over a restart, beside those not yet sent: their bodies are most of the file. */
const KEPT_DELIVERIES = 200;

/** @throws Error when the file is there and is not a world of this version. */
export function loadState(dataDir: string): State {
  let text: string;
  try {
    text = readFileSync(join(dataDir, FILE), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return emptyState();
    throw error;
  }
  const state = JSON.parse(text) as State;
  if (state.version !== 1)
    throw new Error(`${join(dataDir, FILE)} is of version ${String(state.version)}, expected 1`);
  return state;
}

export class StateFile {
  readonly #path: string;
  readonly #state: State;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(dataDir: string, state: State) {
    this.#path = join(dataDir, FILE);
    this.#state = state;
  }

  saveSoon(): void {
    this.#timer ??= setTimeout(() => void this.#save(), SAVE_AFTER_MS).unref();
  }

  async close(): Promise<void> {
    await this.#save();
  }

  #save(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    // The text is made before waiting, so that a later save never writes an older state.
    const { deliveries } = this.#state;
    const newest = deliveries.length - KEPT_DELIVERIES;
    const text = JSON.stringify({
      ...this.#state,
      deliveries: deliveries.filter((one, at) => at >= newest || one.deliveredAt === null),
    });
    this.#writing = this.#write(this.#writing, text);
    return this.#writing;
  }

  async #write(before: Promise<void>, text: string): Promise<void> {
    await before;
    // It holds tokens: for the owner's eyes only.
    await writeFile(`${this.#path}.new`, text, { mode: 0o600 });
    await rename(`${this.#path}.new`, this.#path);
  }
}
