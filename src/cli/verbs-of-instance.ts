/** Verbs that run yoke itself. */
import type { Command } from "commander";
import { verb } from "./verb.js";

export function instance(program: Command): void {
  verb(
    program,
    "up",
    "Run everything of one machine: Postgres, Temporal, the server and a worker.",
    "yoke up --simulator",
  )
    .option("--simulator", "with a simulated GitHub on loopback")
    .option("--data-dir <folder>", "where the data is; else YOKE_DATA_DIR or the state folder")
    .option("--port <n>", "port of the HTTP interface")
    .action(async (options) => (await import("./verbs/instance.js")).up(options));
  verb(program, "down", "Stop the instance of a data folder.", "yoke down")
    .option("--data-dir <folder>")
    .action(async (options) => (await import("./verbs/instance.js")).down(options));
  program
    .command("worker")
    .description("Run one more worker, on the Temporal and Postgres that the environment names.")
    .addHelpText("after", "\nExample:\n  yoke worker")
    .action(async () => {
      await import("../worker/main.js");
    });
  verb(
    program,
    "demo",
    "Tell one landing from nothing, through a simulated GitHub, with a worker killed on the way.",
    "yoke demo --keep",
  )
    .option("--keep", "leave everything running and say where it is")
    .action(async (options) => (await import("./demo/run.js")).demo(options));
}
