/** Whoever looks for a free port and takes it later can come second: then the service says so and another port is tried. */
import { refuse } from "../core/refusals.js";
import { Refused } from "../functions/context.js";
import { isTaken } from "./ports.js";

const ATTEMPTS = 5;

/** The first of `ports` that something else listens on, as a refusal. Asked after a service on them ended. */
export async function portTaken(...ports: readonly (number | null)[]): Promise<Refused | null> {
  for (const port of ports) {
    if (port === null || !(await isTaken(port))) continue;
    const seen = { port: String(port) };
    return new Refused([refuse("port_in_use", `Something listens on port ${seen.port}.`, seen)]);
  }
  return null;
}

export function isPortTaken(error: unknown): boolean {
  return error instanceof Refused && error.refusals.some(({ code }) => code === "port_in_use");
}

/** `start` on what `choose` gives; where it finds a port taken, on another choice. */
export async function onChosenPort<Choice, T>(
  choose: () => Promise<Choice>,
  start: (choice: Choice) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await choose());
    } catch (error) {
      if (attempt === ATTEMPTS || !isPortTaken(error)) throw error;
    }
  }
}
