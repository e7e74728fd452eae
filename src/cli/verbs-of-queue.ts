/** Verbs on GitHub's merge queue and its rules. */
import type { Command } from "commander";
import { verb, type Given } from "./verb.js";

const ask = () => import("./verbs/ask.js");
const gate = () => import("./verbs/gate.js");

export function queue(program: Command): void {
  const group = program
    .command("github")
    .description("Work on GitHub's queue")
    .command("merge-queue")
    .description("Work on the merge queue");
  verb(
    group,
    "hold <item>",
    "Take an item's pull request out of the queue, confirm it, and wait.",
    "yoke github merge-queue hold SHOP-1",
  )
    .option("--release", "arm it again, through `yoke merge item`")
    .action(async (item: string, options: Given) =>
      options["release"] === true
        ? (await import("./verbs/merge.js")).mergeItem(item, options)
        : (await ask()).askFunction(
            "github merge-queue hold",
            "github.merge_queue.hold",
            { item },
            options,
          ),
    );
  verb(
    group,
    "diff",
    "Compare what the gate branch declares with what GitHub enforces.",
    "yoke github merge-queue diff --project SHOP",
  )
    .requiredOption("--project <key>")
    .action(async (options) => (await gate()).diff(options));
  verb(
    group,
    "apply",
    "Make the rules the gate branch declares live; run it in an up-to-date checkout of that branch.",
    "yoke github merge-queue apply --project SHOP --dry-run",
  )
    .requiredOption("--project <key>")
    .option("--path <folder>", "the checkout", ".")
    .option("--dry-run", "show what would change, and change nothing")
    .action(async (options) => (await gate()).apply(options));
  verb(
    group,
    "readiness [item]",
    "Say whether the queue can take landings, and where an item's landing stands.",
    "yoke github merge-queue readiness --project SHOP",
  )
    .option("--project <key>")
    .action(async (item: string | undefined, options) => (await gate()).readiness(item, options));
}
