/** Verbs on claims, sessions and notices. */
import type { Command } from "commander";
import { verb, type Given } from "./verb.js";

const ask = () => import("./verbs/ask.js");

export function holders(program: Command): void {
  verb(
    program,
    "claim <item>",
    "Hold an item, or let it go.",
    "yoke claim SHOP-1 --session builder-1",
  )
    .option("--session <id>", "who is to hold it; else YOKE_SESSION")
    .option("--take-over", "take it from a holder that is gone")
    .option("--release", "let it go")
    .action(async (item: string, options: Given) =>
      options["release"] === true
        ? (await ask()).askFunction("claim", "claim.release", { item }, options)
        : (await ask()).askFunction(
            "claim",
            "claim.take",
            { item, session: options["session"], takeOver: options["takeOver"] },
            options,
          ),
    );
  const sessions = program.command("sessions").description("Keep the sessions that hold items");
  verb(
    sessions,
    "register [id]",
    "Register a session and how it is woken.",
    "yoke sessions register builder-1 --project SHOP --wake-file ~/mailbox.jsonl",
  )
    .option("--project <key>")
    .option("--harness <name>", "what runs it", "person")
    .option("--steering", "it is the project's steering seat")
    .option("--wake-file <path>", "append notices to this file")
    .option("--wake-url <url>", "POST notices to this address")
    .option("--wake-secret-file <path>", "secret that signs them")
    .option("--wake-exec <command...>", "run this command with the notice on standard input")
    .action(async (id: string | undefined, options) =>
      (await import("./verbs/project.js")).registerSession(id, options),
    );
  verb(sessions, "list", "Show the roster.", "yoke sessions list")
    .option("--project <key>")
    .action(async (options: Given) =>
      (await ask()).askFunction(
        "sessions list",
        "sessions.list",
        { project: options["project"] },
        options,
        { of: "sessions", columns: ["id", "harness", "doing", "project", "route"] },
      ),
    );
  verb(sessions, "end <id>", "End a session.", "yoke sessions end builder-1").action(
    async (id: string, options: Given) =>
      (await ask()).askFunction("sessions end", "sessions.end", { id }, options),
  );
  verb(
    sessions,
    "stop-check [id]",
    "Say whether a session may stop, and what it still owes.",
    "yoke sessions stop-check builder-1",
  ).action(async (id: string | undefined, options: Given) =>
    (await ask()).askFunction("sessions stop-check", "sessions.stop_check", { id }, options),
  );
  const notices = program.command("notices").description("Read what holders were told");
  verb(notices, "list", "List the notices.", "yoke notices list --item SHOP-1")
    .option("--project <key>")
    .option("--item <item>")
    .option("--session <id>")
    .option("--all", "with the acknowledged ones")
    .action(async (options: Given) =>
      (await ask()).askFunction(
        "notices list",
        "notices.list",
        {
          project: options["project"],
          item: options["item"],
          session: options["session"],
          all: options["all"],
        },
        options,
        { of: "notices", columns: ["id", "item", "kind", "state", "title", "next"] },
      ),
    );
  verb(notices, "ack <id>", "Acknowledge a notice.", "yoke notices ack 4f1c").action(
    async (id: string, options: Given) =>
      (await ask()).askFunction("notices ack", "notices.ack", { id }, options),
  );
  verb(
    program,
    "say",
    "Tell the steering seat something.",
    "yoke say --steering 'the runner is out of disk' --item SHOP-1",
  )
    .requiredOption("--steering <text>")
    .option("--item <item>")
    .option("--project <key>")
    .action(async (options: Given) =>
      (await ask()).askFunction(
        "say",
        "steering.say",
        { text: options["steering"], item: options["item"], project: options["project"] },
        options,
      ),
    );
  const fleet = program.command("fleet").description("Look at all sessions at once");
  verb(fleet, "idle", "Say who is idle and what waits for a holder.", "yoke fleet idle")
    .option("--project <key>")
    .action(async (options: Given) =>
      (await ask()).askFunction(
        "fleet idle",
        "fleet.idle",
        { project: options["project"] },
        options,
      ),
    );
}
