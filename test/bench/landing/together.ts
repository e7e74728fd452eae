/** Whole landings, from arming to close-out, each as its holder enters it: the lane, the command, the notice, the command again. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createGit } from "../../../src/git/index.js";
import { git } from "../../../src/cli/demo/programs.js";
import { figure, type Figure } from "../figures.js";
import type { Instance } from "../instance.js";
import type { Say } from "../main.js";
import type { BenchProject } from "../project.js";
import { until } from "../until.js";
import { counted } from "./requests.js";

const run = promisify(execFile);
const together = 16;

export interface Lane {
  readonly item: string;
  readonly path: string;
}

/** A clone of the project's repository, with lanes in worktrees of it. */
export class Lanes {
  #made = 0;

  private constructor(
    private readonly instance: Instance,
    readonly project: BenchProject,
    private readonly folder: string,
  ) {}

  static async of(instance: Instance, project: BenchProject): Promise<Lanes> {
    const folder = join(instance.home, `${project.key}-lanes`);
    await mkdir(folder);
    const url = `${instance.github.url}/acme/${project.repository.name}.git`;
    await run("git", ["clone", "-q", url, join(folder, "clone")]);
    return new Lanes(instance, project, folder);
  }

  /** A pushed, registered, verified lane of a new item that the project's holder has claimed. */
  async add(): Promise<Lane> {
    this.#made += 1;
    const title = `Sell thing ${this.#made}`;
    const added = await this.instance.must<{ item: { key: string } }>("items.add", {
      project: this.project.key,
      title,
    });
    const item = added.item.key;
    const branch = `lane/${item.toLowerCase()}`;
    const path = join(this.folder, item);
    const clone = join(this.folder, "clone");
    await git(clone, "worktree", "add", "-q", "-b", branch, path, "origin/main");
    await writeFile(join(path, `${item}.txt`), `${title}\n`);
    await git(path, "add", "-A");
    await git(path, "commit", "-qm", title);
    await git(path, "push", "-q", "origin", branch);
    const { head, tree, commonDir } = await createGit().readLane(path);
    const host = hostname();
    await this.instance.must("lanes.register", {
      item,
      branch,
      path,
      commonDir,
      host,
      remote: "origin",
    });
    await this.instance.must("claim.take", { item, session: this.project.session });
    const verdict = { commit: head, tree, verdict: "passed", evidence: "npm test passed" };
    await this.instance.must("qualifications.record", { item, ...verdict });
    return { item, path };
  }

  /** `yoke merge item`, without the start of its process. */
  async merge({ item, path }: Lane): Promise<string> {
    const lane = await createGit().readLane(path);
    const ask = { item, lane, host: hostname(), remote: "origin" };
    const { outcome } = await this.instance.must<{ outcome: string }>("merge.item", ask);
    return outcome;
  }

  async addMany(count: number): Promise<Lane[]> {
    const made: Lane[] = [];
    while (made.length < count) made.push(await this.add());
    return made;
  }

  /** Arms; unless that landed it already, waits for the notice and closes out. */
  async land(lane: Lane): Promise<void> {
    if ((await this.merge(lane)) !== "landed") await this.closeOut(lane);
  }

  /** Waits for the notice, as the holder does, and enters the command again. */
  async closeOut(lane: Lane): Promise<void> {
    await until(`the notice of ${lane.item}`, () =>
      this.project.notices.has(`${lane.item}/1/landed`) ? true : null,
    );
    const second = await this.merge(lane);
    if (second !== "landed") throw new Error(`${lane.item} is ${second} after its notice`);
  }
}

/** Ends every check that runs, those that begin meanwhile too, until no pull request is open. */
async function untilAllMerged(instance: Instance, project: BenchProject): Promise<void> {
  await until("the end of the checks", async () => {
    const released = await project.repository.releaseJobs("pass");
    await instance.github.idle();
    const pulls = await project.repository.pullRequests();
    return released.length === 0 && pulls.every(({ state }) => state === "MERGED") ? true : null;
  });
}

/** A15.6: everything that 16 items landed together ask of GitHub, the API and git alike. */
export async function benchTogether(instance: Instance, lanes: Lanes, say: Say): Promise<Figure[]> {
  say(`${together} items are armed at once and land together`);
  const made = await lanes.addMany(together);
  const { total, api, git, byRoute } = await counted(instance.github, async () => {
    for (const outcome of await Promise.all(made.map((lane) => lanes.merge(lane)))) {
      if (outcome !== "landing_pending") throw new Error(`arming answered ${outcome}`);
    }
    await Promise.all([
      untilAllMerged(instance, lanes.project),
      ...made.map((lane) => lanes.closeOut(lane)),
    ]);
  });
  for (const [route, count] of Object.entries(byRoute)) say(`  ${count} × ${route}`);
  return [
    figure(`requests_per_landed_item_${together}`, total / together, "requests"),
    figure(`api_requests_per_landed_item_${together}`, api / together, "requests"),
    figure(`git_requests_per_landed_item_${together}`, git / together, "requests"),
  ];
}

/** From arming to close-out, with checks that end at once. */
export async function benchThroughput(lanes: Lanes, say: Say): Promise<Figure[]> {
  say(`${together} items land as fast as they can`);
  const made = await lanes.addMany(together);
  const began = Date.now();
  await Promise.all(made.map((lane) => lanes.land(lane)));
  const minutes = (Date.now() - began) / 60_000;
  return [figure("landings_per_minute", together / minutes, "landings/min")];
}
