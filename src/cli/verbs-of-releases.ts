/** Verbs of deployment runs and of the territory that items hold (A13, A14). */
import { Option, type Command } from "commander";
import { verb, type Given } from "./verb.js";

const ask = () => import("./verbs/ask.js");

/** Given once for each lane. */
const each = (branch: string, before: readonly string[] = []) => [...before, branch];

export function epics(program: Command): void {
  const merge = program
    .command("watch")
    .description("Land the lanes of an epic")
    .command("merge")
    .description("Land one lane of an epic");
  verb(
    merge,
    "merge-worktree <epic>",
    "Land one lane of an epic through the queue; enter it again after the notice to close out.",
    "yoke watch merge merge-worktree SHOP-1 --lane lane/shop-1-api",
  )
    .requiredOption("--lane <branch>", "the lane to land")
    .option("--integrate <branch>", "bring this lane into it first; may be given again", each)
    .option("--result <text>", "what was done")
    .option("--verification <text>", "how it was verified")
    .option("--wait", "stay until it landed (exit 0) or the holder must act (exit 2)")
    .option(
      "--patience <seconds>",
      "with --wait: how long a server that is away is waited for (default: 300)",
    )
    .option("--dry-run", "run the whole preflight and say what would be sent")
    .action(async (epic: string, options) =>
      (await import("./verbs/merge-worktree.js")).mergeWorktree(epic, options),
    );
  const landings = program
    .command("item-landings")
    .description("What became of the lanes of an item");
  verb(
    landings,
    "list <item>",
    "List the landings of an item's lanes.",
    "yoke item-landings list SHOP-1",
  ).action(async (item: string, options: Given) =>
    (await ask()).askFunction("item-landings list", "item_landings.list", { item }, options, {
      of: "landings",
      columns: ["branch", "candidate", "carriedBy", "recordedAt"],
    }),
  );
  verb(
    landings,
    "record <item>",
    "Record that the local gate branch carries a lane's head, as git here proves it.",
    "yoke item-landings record SHOP-1 --lane lane/shop-1-api --gate-branch main",
  )
    .requiredOption("--lane <branch>", "the lane that was merged")
    .option("--gate-branch <name>", "the local branch it was merged into", "main")
    .action(async (item: string, options) =>
      (await import("./verbs/item-landings.js")).recordItemLanding(item, options),
    );
}

export function releases(program: Command): void {
  const group = program.command("deployment-runs").description("Let landed items leave together");
  verb(
    group,
    "create <run>",
    "Create a deployment run.",
    "yoke deployment-runs create 2026-12-01 --project SHOP",
  )
    .requiredOption("--project <key>")
    .action(async (run: string, options: Given) =>
      (await ask()).askFunction(
        "deployment-runs create",
        "deployment_runs.create",
        { run, project: options["project"] },
        options,
      ),
    );
  const onItem = (name: "add-item" | "remove-item", summary: string) =>
    verb(
      group,
      `${name} <run> <item>`,
      summary,
      `yoke deployment-runs ${name} 2026-12-01 SHOP-1`,
    ).action(async (run: string, item: string, options: Given) =>
      (await ask()).askFunction(
        `deployment-runs ${name}`,
        `deployment_runs.${name.replace("-", "_")}`,
        { run, item },
        options,
      ),
    );
  onItem("add-item", "Add a landed item; one that is being landed again is refused.");
  onItem("remove-item", "Take an item out; its correction rides a later run.");
  const onRun = (name: "admit" | "show", summary: string) =>
    verb(group, `${name} <run>`, summary, `yoke deployment-runs ${name} 2026-12-01`).action(
      async (run: string, options: Given) =>
        (await ask()).askFunction(
          `deployment-runs ${name}`,
          `deployment_runs.${name}`,
          { run },
          options,
        ),
    );
  onRun("admit", "Admit the run: every member landed, and the gate branch contains it.");
  onRun("show", "Show a run and its members.");
}

export function territory(program: Command): void {
  const group = program
    .command("territory")
    .description("Keep paths and migrations for an item until it landed");
  verb(
    group,
    "claim <item> <name>",
    "Keep a path or a migration for an item.",
    "yoke territory claim SHOP-1 src/checkout",
  )
    .addOption(new Option("--kind <kind>").choices(["path", "migration"]).default("path"))
    .action(async (item: string, name: string, options: Given) =>
      (await ask()).askFunction(
        "territory claim",
        "territory.claim",
        { item, kind: options["kind"], name },
        options,
      ),
    );
  verb(group, "list", "List who holds what.", "yoke territory list --project SHOP")
    .option("--project <key>")
    .option("--item <item>")
    .action(async (options: Given) =>
      (await ask()).askFunction(
        "territory list",
        "territory.list",
        { project: options["project"], item: options["item"] },
        options,
        { of: "territory", columns: ["kind", "name", "item", "claimedAt"] },
      ),
    );
}
