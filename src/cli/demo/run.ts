/** `yoke demo`: one landing from nothing, told as it happens; every value it prints comes from the stores. */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readServices, type Services } from "../../embedded/services-file.js";
import { say } from "../print.js";
import { Admin, git, startInstance, yoke, type Ran } from "./programs.js";

const stepMs = 100;
const patienceMs = 120_000;

interface Landed {
  readonly landing: { readonly pullRequest: number; readonly candidate: string };
  readonly receipt: { readonly mergeCommit: string };
  readonly outcome: string;
}

/** Asks until there is an answer; gives up loudly. */
async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  const end = Date.now() + patienceMs;
  while (Date.now() < end) {
    const seen = await look();
    if (seen !== null) return seen;
    await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
  throw new Error(`${what} did not happen in ${patienceMs / 1000} s`);
}

export async function demo(options: {
  readonly json?: boolean;
  readonly keep?: boolean;
}): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "yoke-demo-"));
  // The embedded Postgres of a root user runs as another one, who must get in.
  await chmod(home, 0o755);
  const dataDir = join(home, "data");
  let talk = "";
  const began = Date.now();
  const tell = (line: string) =>
    say(`[${((Date.now() - began) / 1000).toFixed(1).padStart(5)} s] ${line}`);

  tell("Starting Postgres, Temporal, the server, a worker, and a simulated GitHub from nothing");
  const instance = startInstance(dataDir, (text) => {
    talk += text;
    for (const line of text.split("\n"))
      if (/^(Fetching|Building|Making)/.test(line)) tell(`  ${line}`);
  });
  try {
    const services = await until("the start of the services", () => {
      if (instance.exitCode !== null) throw new Error(`yoke up ended: ${talk}`);
      return /^Simulated GitHub/m.test(talk) ? readServices(dataDir) : null;
    });
    const document = await story(home, dataDir, services, tell);
    if (options.json === true) process.stdout.write(`${JSON.stringify(document)}\n`);
    else
      process.stdout.write(
        `landed: ${document.item} by pull request ${document.pullRequest} as ${document.mergeCommit}\n`,
      );
    if (options.keep === true) {
      tell(
        `Everything is left running. Board: ${services.boardUrl}  Temporal: ${services.temporalUiUrl ?? "-"}  GitHub: ${services.simulatorUrl ?? "-"}`,
      );
      tell(`Stop it with: yoke down --data-dir ${dataDir}`);
      instance.stderr?.destroy();
      instance.unref();
    }
  } finally {
    if (options.keep !== true) {
      await yoke(dataDir, ["down", "--data-dir", dataDir]);
      await rm(home, { recursive: true, force: true });
    }
  }
}

async function story(
  home: string,
  dataDir: string,
  services: Services,
  tell: (line: string) => void,
) {
  const github = services.simulatorUrl ?? "";
  const admin = new Admin(github);
  const enter = async (args: readonly string[], expected = 0): Promise<Ran> => {
    const ran = await yoke(dataDir, args);
    if (ran.code !== expected)
      throw new Error(`yoke ${args.join(" ")} exited ${ran.code}: ${ran.stdout}${ran.stderr}`);
    return ran;
  };
  const json = async <T>(args: readonly string[], expected = 0): Promise<T> =>
    JSON.parse((await enter([...args, "--json"], expected)).stdout) as T;

  tell("A repository with a merge queue on main and one required check, ci");
  await admin.ask("POST", "/users", { login: "robin" });
  const { token } = await admin.ask<{ token: string }>("POST", "/tokens", { login: "robin" });
  await admin.ask("POST", "/repositories", {
    owner: "acme",
    name: "shop",
    files: { "README.md": "A shop.\n" },
  });
  await admin.ask("PUT", "/repositories/acme/shop/workflows", [
    {
      name: "CI",
      path: ".github/workflows/ci.yml",
      on: ["pull_request", "merge_group"],
      jobs: [{ name: "ci", outcome: "hold" }],
    },
  ]);
  await admin.ask("PUT", "/repositories/acme/shop/rulesets", {
    name: "main",
    mergeQueue: {},
    requiredStatusChecks: { checks: [{ context: "ci" }] },
  });
  const secret = randomBytes(16).toString("hex");
  const secretFile = join(home, "webhook-secret");
  const tokenFile = join(home, "github-token");
  await writeFile(secretFile, secret, { mode: 0o600 });
  await writeFile(tokenFile, token, { mode: 0o600 });
  const added = await json<{ webhook: { path: string } }>([
    "project",
    "add",
    "SHOP",
    "--repo",
    "acme/shop",
    "--api-url",
    `${github}/api/v3`,
    "--token-file",
    tokenFile,
    "--webhook-secret-file",
    secretFile,
    "--requirement",
    "npm test",
  ]);
  await admin.ask("POST", "/repositories/acme/shop/hooks", {
    url: `${services.apiUrl}${added.webhook.path}`,
    secret,
  });

  tell(
    "Two items: SHOP-2 lands after SHOP-1; a session holds SHOP-1 and is woken by a mailbox file",
  );
  await enter(["items", "add", "Sell tea", "--project", "SHOP"]);
  await enter(["items", "add", "Sell cups for the tea", "--project", "SHOP"]);
  await enter(["items", "depends", "SHOP-2", "--on", "SHOP-1"]);
  const mailbox = join(home, "mailbox.jsonl");
  await enter(["sessions", "register", "builder-1", "--project", "SHOP", "--wake-file", mailbox]);
  await enter(["claim", "SHOP-1", "--session", "builder-1"]);

  const clone = join(home, "shop");
  await git(home, "clone", "-q", `${github}/acme/shop.git`, clone);
  await mkdir(join(home, "lanes"));
  for (const [item, file] of [
    ["SHOP-1", "tea.txt"],
    ["SHOP-2", "cups.txt"],
  ] as const) {
    const lane = join(home, "lanes", item);
    const branch = `lane/${item.toLowerCase()}`;
    await git(clone, "worktree", "add", "-q", "-b", branch, lane, "origin/main");
    await writeFile(join(lane, file), `${file}\n`);
    await git(lane, "add", "-A");
    await git(lane, "commit", "-qm", `Add ${file}`);
    await git(lane, "push", "-q", "origin", branch);
    await enter(["lanes", "register", item, "--path", lane]);
    await enter(["verify", "record", item, "--evidence", "npm test: all passed"]);
  }

  const blocked = await enter(["merge", "item", "SHOP-2"], 2);
  tell(`yoke merge item SHOP-2  ->  exit 2: ${blocked.stderr.split("\n")[0] ?? ""}`);

  await enter(
    ["merge", "item", "SHOP-1", "--result", "tea is sold", "--verification", "npm test"],
    9,
  );
  tell(
    "yoke merge item SHOP-1  ->  exit 9: armed, landing_pending; the command may end, the landing goes on",
  );

  const held = async () => {
    const jobs = await admin.ask<readonly unknown[]>("GET", "/held-jobs");
    return jobs.length > 0 ? jobs : null;
  };
  await until("the check of the pull request", held);
  await admin.ask("POST", "/held-jobs/release", { conclusion: "pass" });
  await until("the merge group", held);
  tell("ci passed on the pull request; GitHub queued it and builds the merge group");

  const worker = readServices(dataDir)?.pids.worker ?? null;
  if (worker === null) throw new Error("no worker runs");
  process.kill(worker, "SIGKILL");
  tell(`The worker (pid ${worker}) is killed with SIGKILL while the group builds`);
  await admin.ask("POST", "/held-jobs/release", { conclusion: "pass" });
  tell("ci passed on the group; GitHub merges while nobody watches");
  const next = await until("the worker's restart", () => {
    const pid = readServices(dataDir)?.pids.worker ?? null;
    return pid === null || pid === worker ? null : pid;
  });
  tell(`The supervisor started a new worker (pid ${next})`);
  const notice = await until("the notice", async () => {
    const mail = await readFile(mailbox, "utf8").catch(() => "");
    return mail === "" ? null : (JSON.parse(mail.split("\n")[0] ?? "") as { title: string });
  });
  tell(`The mailbox of builder-1 has one notice: ${notice.title}`);

  const landed = await json<Landed>(["merge", "item", "SHOP-1"]);
  tell(
    "yoke merge item SHOP-1  ->  exit 0: close-out proved the merge on main, wrote the receipt, removed the lane",
  );
  await enter(["merge", "item", "SHOP-2", "--dry-run"]);
  tell("SHOP-2 is free to land now: its preflight passes");

  const { notices } = await json<{ notices: unknown[] }>([
    "notices",
    "list",
    "--item",
    "SHOP-1",
    "--all",
  ]);
  const { counts, total } = await admin.ask<{ counts: unknown; total: number }>(
    "GET",
    "/requests?group=route",
  );
  return {
    schema: "yoke.demo/1",
    item: "SHOP-1",
    pullRequest: landed.landing.pullRequest,
    candidate: landed.landing.candidate,
    mergeCommit: landed.receipt.mergeCommit,
    outcome: landed.outcome,
    notices,
    receipt: landed.receipt,
    requests: { total, counts },
  };
}
