/** Every commit on the gate branch was qualified as that exact candidate. */
import { listItems } from "../../db/items.js";
import { listQualifications } from "../../db/qualifications.js";
import { landedOnGate } from "./gate-branch.js";
import type { Rule, SimulatedWorld } from "./world.js";

export const qualifiedMerges: Rule<SimulatedWorld> = {
  name: "every commit on the gate branch was qualified as that exact candidate",
  async violations(world) {
    const { services, repository } = world.simulator;
    const git = services.world.git(repository);
    const items = await listItems(world.db, { project: world.project });
    const passed = (
      await Promise.all(items.map(({ key }) => listQualifications(world.db, { item: key })))
    )
      .flat()
      .filter(({ verdict }) => verdict === "passed");
    const seen: string[] = [];
    for (const { sha, parents, pullRequest } of await landedOnGate(world)) {
      if (pullRequest === null) {
        seen.push(`${sha} is on the gate branch and no pull request merged as it`);
        continue;
      }
      // A merge brings the candidate as its second parent; a squash has only what GitHub says was the head.
      const candidate = parents[1] ?? pullRequest.headSha;
      const tree = await git.treeOf(candidate);
      if (!passed.some((one) => one.commit === candidate && one.tree === tree)) {
        seen.push(
          `${sha} brought ${candidate} (pull request ${pullRequest.number}), and no passing qualification is of that commit and tree ${tree}`,
        );
      }
    }
    return seen;
  },
};
