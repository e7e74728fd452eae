/** Verbs that stop a project from arming, and let it arm again (A16.3). */
import type { Command } from "commander";
import { verb, type Given } from "./verb.js";

const ask = () => import("./verbs/ask.js");

/** A time as it was entered, in UTC; one that is none is left for the server to refuse. */
function instant(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

export function freezes(project: Command): void {
  verb(
    project,
    "freeze <key>",
    "Arm nothing more; what is armed is let go, and armed again when the freeze ends.",
    "yoke project freeze SHOP --reason 'release 4.2' --until 2026-03-01T18:00:00Z --drain",
  )
    .requiredOption("--reason <text>", "why; it is in every refusal and on the board")
    .option("--until <time>", "when it ends by itself", instant)
    .option("--drain", "let land what is armed")
    .action(async (key: string, options: Given) =>
      (await ask()).askFunction(
        "project freeze",
        "project.freeze",
        {
          project: key,
          reason: options["reason"],
          until: options["until"],
          drain: options["drain"],
        },
        options,
      ),
    );
  verb(
    project,
    "unfreeze <key>",
    "End the freeze; what it let go is armed again.",
    "yoke project unfreeze SHOP --reason 'release 4.2 is out'",
  )
    .option("--reason <text>", "why it ends")
    .action(async (key: string, options: Given) =>
      (await ask()).askFunction(
        "project unfreeze",
        "project.unfreeze",
        { project: key, reason: options["reason"] },
        options,
      ),
    );
}
