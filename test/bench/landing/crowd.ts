/** Many open landings at once: armed on GitHub, recorded in Postgres, and each with its running workflow. */
import { commitLanding } from "../../../db/landing-commit.js";
import { decide } from "../../../src/core/landing/decide.js";
import { openLanding } from "../../../src/core/landing/open-landing.js";
import { defaultPolicy, type Observation } from "../../../src/core/landing/model.js";
import { createGitHub } from "../../../src/github/client.js";
import { landingStart } from "../../../src/temporal/landings.js";
import type { landing } from "../../../workflows/landing.js";
import { taskQueue, type Instance } from "../instance.js";
import type { BenchProject } from "../project.js";

/** Under way at once while the crowd is made: what Temporal's dev server takes without queueing. */
const atOnce = 20;

export interface OpenLanding {
  readonly item: string;
  readonly number: number;
  readonly head: string;
}

export class Crowd {
  readonly open: OpenLanding[] = [];
  #made = 0;

  constructor(
    private readonly instance: Instance,
    private readonly project: BenchProject,
    private readonly token: string,
  ) {}

  /** Adds landings until `size` are open. */
  async growTo(size: number): Promise<void> {
    while (this.open.length < size) {
      const batch: { item: string; head: string; number: number; nodeId: string }[] = [];
      for (let at = Math.min(atOnce, size - this.open.length); at > 0; at -= 1) {
        batch.push(await this.#armed());
      }
      const client = createGitHub({
        apiUrl: `${this.instance.github.url}/api/v3`,
        credential: { kind: "token", token: `file:${this.token}` },
      });
      const { observations } = await client.observe(batch.map(({ nodeId }) => nodeId));
      await Promise.all(
        batch.map(async ({ item, head, number, nodeId }) => {
          const seen = observations.find((one) => one.nodeId === nodeId);
          if (seen === undefined) throw new Error(`pull request ${number} cannot be read`);
          await this.#start(item, head, seen);
          this.open.push({ item, number, head });
        }),
      );
    }
  }

  /** The next `count` open landings, which are about to end. */
  take(count: number): OpenLanding[] {
    const taken = this.open.splice(0, count);
    if (taken.length < count) throw new Error(`only ${taken.length} landings are open`);
    return taken;
  }

  async #armed() {
    this.#made += 1;
    const { repository, key, session } = this.project;
    const branch = `lane/${this.#made}`;
    const title = `Sell thing ${this.#made}`;
    const files = { [`things/${this.#made}.txt`]: `${title}\n` };
    const head = await repository.commit({ branch, files, message: title });
    const { number } = await repository.openPullRequest({ head: branch, title, actor: "robin" });
    const { nodeId } = await repository.arm(number, { actor: "robin" });
    const added = await this.instance.must<{ item: { key: string } }>("items.add", {
      project: key,
      title,
    });
    const item = added.item.key;
    await this.instance.must("claim.take", { item, session });
    return { item, head, number, nodeId };
  }

  /** As arming leaves it: the state that the decision makes of GitHub's own reading. */
  async #start(item: string, head: string, observation: Observation): Promise<void> {
    const project = this.project.key;
    const begun = openLanding({ project, item, gateBranch: "main" });
    const { pullRequest: number, nodeId, url } = observation;
    // Nothing asks for the tree of a candidate that is armed.
    const candidate = { commit: head, tree: head, branch: observation.headBranch };
    const { state, why } = decide(
      { ...begun, pullRequest: { number, nodeId, url } },
      {
        type: "armed",
        observation,
        candidate: { ...candidate, qualification: "bench" },
        certain: true,
      },
      defaultPolicy,
    );
    const at = new Date().toISOString();
    await commitLanding(this.instance.db, { state, version: 1, why, notices: [], at });
    const nothing = { undeliveredNotices: [], result: null, verification: null };
    const carried = { state, version: 1, why, ...nothing };
    await this.instance.temporal.client.workflow.start<typeof landing>(
      "landing",
      landingStart({ project, item, gateBranch: "main", carried }, taskQueue),
    );
  }
}
