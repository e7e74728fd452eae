/** Ports of an instance: those of its last run when they are free, so that its URLs stay the same. */
import { readFile, writeFile } from "node:fs/promises";
import { onChosenPort, portTaken } from "./port-taken.js";
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
const PORT_NAMES = Object.keys(DEFAULTS) as readonly PortName[];

/** The ports of one run. Those nobody demanded change while it starts, when somebody else takes them first. */
export interface InstancePorts {
  of(name: PortName): number;
  /**
   * Starts a service that listens on the ports of `names`. Where one was taken since it was chosen, another is chosen
   * and remembered, and the service is started again. Throws `Refused` with `port_in_use` for a demanded one.
   */
  starting<T>(names: readonly PortName[], start: () => Promise<T>): Promise<T>;
}

/**
 * Chooses the ports and remembers them in `file`. `httpPort` is a demand: `Refused` with `port_in_use` when
 * something listens there.
 */
export async function choosePorts(
  file: string,
  httpPort: number | undefined,
): Promise<InstancePorts> {
  const before = await remembered(file);
  const chosen: Record<PortName, number> = { ...DEFAULTS, ...before };
  if (httpPort !== undefined) {
    const taken = await portTaken(httpPort);
    if (taken !== null) throw taken;
    chosen.http = httpPort;
  }
  const chooseAnew = async (names: readonly PortName[]): Promise<void> => {
    for (const name of names) {
      if (name === "http" && httpPort !== undefined) continue;
      const others = new Set(PORT_NAMES.filter((one) => one !== name).map((one) => chosen[one]));
      let port = await freePort(chosen[name]);
      while (others.has(port)) port = await freePort();
      chosen[name] = port;
    }
    await writeFile(file, `${JSON.stringify(chosen)}\n`);
  };
  await chooseAnew(PORT_NAMES);
  return {
    of: (name) => chosen[name],
    starting: (names, start) =>
      names.includes("http") && httpPort !== undefined
        ? start()
        : onChosenPort(() => chooseAnew(names), start),
  };
}

/** A file that cannot be read is no reason not to start. */
async function remembered(file: string): Promise<Partial<Record<PortName, number>>> {
  const ports: Partial<Record<PortName, number>> = {};
  try {
    const stored = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    for (const name of PORT_NAMES) {
      const port = stored[name];
      if (typeof port === "number" && port > 0 && port < 65_536) ports[name] = port;
    }
  } catch {
    return {};
  }
  return ports;
}
