/** Every verb of `yoke`. Only commander is loaded here; what a verb needs is loaded when it runs (stack.md "CLI start-up"). */
import { Command, Option } from "commander";
import { freezes } from "./verbs-of-freeze.js";
import { holders } from "./verbs-of-holders.js";
import { instance } from "./verbs-of-instance.js";
import { queue } from "./verbs-of-queue.js";
import { epics, releases, territory } from "./verbs-of-releases.js";
import { verb, type Given } from "./verb.js";

const usageExit = 4;

const ask = () => import("./verbs/ask.js");

function project(program: Command): void {
  const group = program.command("project").description("Bring repositories under control");
  verb(
    group,
    "add <key>",
    "Bring a GitHub repository and its gate branch under control.",
    "yoke project add SHOP --repo acme/shop --token-file ~/.config/yoke/token --requirement 'npm test'",
  )
    .requiredOption("--repo <owner/name>", "the repository")
    .requiredOption(
      "--requirement <text>",
      "what a candidate must pass; qualifications are recorded under its digest",
    )
    .option("--api-url <url>", "base of the REST API", "https://api.github.com")
    .option("--gate-branch <name>", "branch that is landed on", "main")
    .option("--token-file <path>", "file with a token (mode 0600)")
    .option("--token-env <name>", "environment variable with a token")
    .option("--app-id <id>", "GitHub App, with --installation-id and --private-key-file")
    .option("--installation-id <id>")
    .option("--private-key-file <path>")
    .option("--webhook-secret-file <path>", "file with the secret of the webhook")
    .option(
      "--close-out <proof>",
      "ancestry, or content for a queue that squashes or rebases",
      "ancestry",
    )
    .option(
      "--delete-remote-branches",
      "delete a lane's branch on GitHub once its landing is proved",
    )
    .option("--upkeep-seconds <n>", "seconds between two passes", "60")
    .action(async (key: string, options: Given) =>
      (await import("./verbs/project.js")).addProject(key, options),
    );
  verb(group, "list", "List the projects.", "yoke project list").action(async (options: Given) =>
    (await ask()).askFunction("project list", "project.list", {}, options, {
      of: "projects",
      columns: ["key", "owner", "name", "gateBranch", "refreshedAt"],
    }),
  );
  verb(
    group,
    "get <key>",
    "Show one project and the path of its webhook.",
    "yoke project get SHOP",
  ).action(async (key: string, options: Given) =>
    (await ask()).askFunction("project get", "project.get", { project: key }, options),
  );
  freezes(group);
}

function items(program: Command): void {
  const group = program.command("items").description("Keep the items of a project");
  verb(group, "add <title>", "Add an item.", "yoke items add 'Sell tea' --project SHOP")
    .requiredOption("--project <key>")
    .option("--body <text>", "what is to be done", "")
    .action(async (title: string, options: Given) =>
      (await ask()).askFunction(
        "items add",
        "items.add",
        { project: options["project"], title, body: options["body"] },
        options,
      ),
    );
  verb(group, "list", "List the items of a project.", "yoke items list --project SHOP")
    .requiredOption("--project <key>")
    .action(async (options: Given) =>
      (await ask()).askFunction(
        "items list",
        "items.list",
        { project: options["project"] },
        options,
        { of: "items", columns: ["key", "status", "holder", "title"] },
      ),
    );
  verb(group, "get <item>", "Show an item.", "yoke items get SHOP-1").action(
    async (item: string, options: Given) =>
      (await ask()).askFunction("items get", "items.get", { item }, options),
  );
  const detail = group.command("detail").description("Everything that is known of an item");
  verb(
    detail,
    "get <item>",
    "Show an item with its landing, lanes, claim and receipts.",
    "yoke items detail get SHOP-1 --json",
  ).action(async (item: string, options: Given) =>
    (await ask()).askFunction("items detail get", "items.detail.get", { item }, options),
  );
  const section = group.command("section").description("Documents of an item");
  verb(
    section,
    "get <item>",
    "Print one section.",
    "yoke items section get SHOP-1 --section 'Merge Receipts'",
  )
    .requiredOption("--section <name>")
    .action(async (item: string, options: Given & { section: string }) =>
      (await import("./verbs/read.js")).section(item, options),
    );
  verb(
    group,
    "depends <item>",
    "Declare that an item lands after another.",
    "yoke items depends SHOP-2 --on SHOP-1",
  )
    .requiredOption("--on <item>")
    .action(async (item: string, options: Given) =>
      (await ask()).askFunction(
        "items depends",
        "items.depends",
        { item, on: options["on"] },
        options,
      ),
    );
}

function lanes(program: Command): void {
  const group = program.command("lanes").description("Keep the lanes of items");
  verb(
    group,
    "register <item>",
    "Register the worktree of an item.",
    "yoke lanes register SHOP-1 --path ../shop-1",
  )
    .option("--path <folder>", "the worktree", ".")
    .option("--remote <name>", "remote the lane is pushed to", "origin")
    .option("--integration", "lanes of the item come together in it")
    .option("--local", "a repository without a remote")
    .action(async (item: string, options) =>
      (await import("./verbs/lanes.js")).registerLane(item, options),
    );
  verb(group, "list", "List the lanes.", "yoke lanes list --project SHOP")
    .option("--project <key>")
    .option("--item <item>")
    .action(async (options: Given) =>
      (await ask()).askFunction(
        "lanes list",
        "lanes.list",
        { project: options["project"], item: options["item"] },
        options,
        { of: "lanes", columns: ["item", "branch", "host", "path", "state"] },
      ),
    );
  const verify = program.command("verify").description("Record what was verified");
  verb(
    verify,
    "record <item>",
    "Record that the head of the item's lane passed (or failed) the requirement.",
    "yoke verify record SHOP-1 --evidence 'npm test: 120 passed'",
  )
    .requiredOption("--evidence <text>", "what was run and what it said")
    .addOption(new Option("--verdict <verdict>").choices(["passed", "failed"]).default("passed"))
    .option("--lane <branch>", "which of several lanes")
    .action(async (item: string, options) =>
      (await import("./verbs/lanes.js")).recordVerification(item, options),
    );
}

function landing(program: Command): void {
  const merge = program.command("merge").description("Land items");
  verb(
    merge,
    "item <item>",
    "Land the exact verified candidate of an item; enter it again to close out.",
    "yoke merge item SHOP-1 --wait",
  )
    .option("--result <text>", "what was done")
    .option("--verification <text>", "how it was verified")
    .option("--lane <branch>", "which of several lanes")
    .option(
      "--retry-flake <test: why>",
      "claim the one retry of a failed merge train: why the change cannot explain the failure",
    )
    .option("--wait", "stay until it landed (exit 0) or the holder must act (exit 2)")
    .option(
      "--patience <seconds>",
      "with --wait: how long a server that is away is waited for (default: 300)",
    )
    .option("--dry-run", "run the whole preflight and say what would be sent")
    .action(async (item: string, options) =>
      (await import("./verbs/merge.js")).mergeItem(item, options),
    );
  verb(
    program,
    "explain <item>",
    "Say every reason why an item has not landed, and what to do about each.",
    "yoke explain SHOP-1",
  )
    .option("--refresh", "read GitHub first")
    .action(async (item: string, options) =>
      (await import("./verbs/read.js")).explain(item, options),
    );
  verb(program, "status", "Show where every item stands.", "yoke status --project SHOP")
    .option("--project <key>")
    .action(async (options) => (await import("./verbs/read.js")).status(options));
  verb(
    program,
    "doctor",
    "Check services, workers, credentials and queues, one line each.",
    "yoke doctor",
  )
    .option("--project <key>")
    .action(async (options) => (await import("./verbs/read.js")).doctor(options));
}

/** The whole command, as the help and the generated page read it. */
export function yoke(): Command {
  const program = new Command("yoke")
    .description(
      "Land changes exactly as they were verified, and say exactly why when it does not.",
    )
    .helpCommand(false)
    .showHelpAfterError("(`--help` shows how it is used)")
    .exitOverride()
    .addHelpText("after", "\nExample:\n  yoke merge item SHOP-1 --wait");
  const parts = [instance, project, items, lanes, landing, queue];
  for (const part of [...parts, epics, territory, releases, holders]) part(program);
  const override = (command: Command) => {
    for (const one of command.commands) {
      one.exitOverride().helpCommand(false);
      override(one);
    }
  };
  override(program);
  return program;
}

export async function main(argv: readonly string[]): Promise<void> {
  try {
    await yoke().parseAsync([...argv]);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ("exitCode" in error && "code" in error) {
      process.exitCode = error.exitCode === 0 ? 0 : usageExit;
      return;
    }
    process.stderr.write(`yoke failed: ${error.message}\n`);
    process.exitCode = 1;
  }
}
