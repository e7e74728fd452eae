/**
 * The simulated GitHub as a process: `main.js --data DIR [--port N] [--clock real|stepped]`. Prints one line of JSON
 * when it serves, and ends on SIGTERM or SIGINT after writing its state.
 */
import { parseArgs } from "node:util";

import { startSimulator } from "../index.js";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    port: { type: "string", default: "0" },
    clock: { type: "string", default: "real" },
  },
});

const { data, clock } = values;
const port = Number(values.port);
if (data === undefined || !Number.isInteger(port) || (clock !== "real" && clock !== "stepped")) {
  process.stderr.write("usage: main.js --data DIR [--port N] [--clock real|stepped]\n");
  process.exit(1);
}

const simulator = await startSimulator({ dataDir: data, port, clock });
process.stdout.write(`${JSON.stringify({ url: simulator.url, apiUrl: simulator.apiUrl })}\n`);

for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, () => {
    void simulator.close().then(() => process.exit(0));
  });
