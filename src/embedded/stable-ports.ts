/** Ports of an instance: those of its last run when they are free, so that its URLs stay the same. */
import { readFile, writeFile } from "node:fs/promises";
import { refuse } from "../core/refusals.js";
import { Refused } from "../functions/context.js";
import { freePort } from "./ports.js";

/** Where a first run looks. Taken ones are replaced by whatever is free. */
const DEFAULTS = {
  http: 8470,
  temporal: 7233,
  temporalUi: 8233,
  postgres: 54_320,
  simulator: 8471,
} as const;

export type PortName = keyof typeof DEFAULTS;
export type Ports = Readonly<Record<PortName, number>>;

/**
 * Chooses the ports and remembers them in `file`. `httpPort` is a demand: `Refused` with `port_in_use` when
 * something listens there.
 */
export async function choosePorts(file: string, httpPort: number | undefined): Promise<Ports> {
  const before = await remembered(file);
  const chosen: Record<PortName, number> = { ...DEFAULTS };
  const given = new Set<number>();
  if (httpPort !== undefined) {
    if ((await freePort(httpPort)) !== httpPort) {
      const port = String(httpPort);
      throw new Refused([refuse("port_in_use", `Something listens on port ${port}.`, { port })]);
    }
    chosen.http = httpPort;
    given.add(httpPort);
  }
  for (const name of Object.keys(DEFAULTS) as PortName[]) {
    if (name === "http" && httpPort !== undefined) continue;
    let port = await freePort(before[name] ?? DEFAULTS[name]);
    while (given.has(port)) port = await freePort();
    given.add(port);
    chosen[name] = port;
  }
  await writeFile(file, `${JSON.stringify(chosen)}\n`);
  return chosen;
}

/** A file that cannot be read is no reason not to start. */
async function remembered(file: string): Promise<Partial<Record<PortName, number>>> {
  const ports: Partial<Record<PortName, number>> = {};
  try {
    const stored = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    for (const name of Object.keys(DEFAULTS) as PortName[]) {
      const port = stored[name];
      if (typeof port === "number" && port > 0 && port < 65_536) ports[name] = port;
    }
  } catch {
    return {};
  }
  return ports;
}
