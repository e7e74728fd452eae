#!/usr/bin/env node
/** Entry of the `yoke` command. Help is printed from a file made at build time: nothing but node:fs is loaded for it. */
import fs = require("node:fs");

const [first, ...rest] = process.argv.slice(2);
const help = `${__dirname}/../../help.txt`;

if (
  (first === undefined || first === "--help" || first === "-h" || first === "help") &&
  rest.length === 0 &&
  fs.existsSync(help)
) {
  process.stdout.write(fs.readFileSync(help));
} else {
  import("./program.js").then(
    ({ main }) => main(process.argv),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
