/** `npm run bench -- NAME [--json]`: figures on standard output, talk on standard error. */
import { parseArgs } from "node:util";
import type { Figure } from "./figures.js";

export type Say = (line: string) => void;
type Bench = (say: Say) => Promise<readonly Figure[]>;

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  landing: async () => (await import("./landing/bench.js")).benchLanding,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});
const [name = ""] = positionals;
const load = benches[name];
if (load === undefined || positionals.length !== 1) {
  const names = Object.keys(benches).join(", ");
  process.stderr.write(`Usage: npm run bench -- NAME [--json]; NAME is one of: ${names}\n`);
  process.exit(2);
}
const began = Date.now();
const say: Say = (line) => {
  process.stderr.write(`[${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s] ${line}\n`);
};
const figures = await (await load())(say);
if (values.json) {
  process.stdout.write(`${JSON.stringify({ schema: "yoke.bench/1", bench: name, figures })}\n`);
} else {
  const width = Math.max(...figures.map((one) => one.name.length));
  for (const { name: of, value, unit } of figures) {
    process.stdout.write(`${of.padEnd(width)}  ${String(value).padStart(10)}  ${unit}\n`);
  }
}
