#!/usr/bin/env node
/** Entry of the `yoke` command. Help is printed from a file made at build time: nothing else is loaded for it. */
import fs = require("node:fs");
import path = require("node:path");

const asked = process.argv.slice(2);
const [first] = asked;
const help = path.join(__dirname, "..", "..", "help.txt");

if (
  (first === undefined || first === "--help" || first === "-h" || first === "help") &&
  asked.length < 2 &&
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
