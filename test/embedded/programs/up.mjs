// Runs the compiled `runUp` in a process of its own, so that a test can kill it.
import { fileURLToPath } from "node:url";
import { runUp } from "../../../dist/src/embedded/up.js";

const [dataDir, server = "serve.mjs", simulator = ""] = process.argv.slice(2);
const stand = (name) => fileURLToPath(new URL(name, import.meta.url));
try {
  process.exitCode = await runUp({
    dataDir,
    simulator: simulator === "simulator",
    log: (line) => process.stderr.write(`${line}\n`),
    onReady: () => process.stdout.write("ready\n"),
    programs: {
      server: stand(server),
      worker: stand("idle.mjs"),
      simulator: stand("serve.mjs"),
    },
  });
} catch (error) {
  process.stdout.write(`${JSON.stringify(error.refusals ?? String(error.stack))}\n`);
  process.exitCode = 2;
}
