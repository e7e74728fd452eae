/** A15.1: what one pass over the open landings of a project asks of GitHub. */
import { landingService } from "../../../src/temporal/landing-service.js";
import { figure, type Figure } from "../figures.js";
import { taskQueue, type Instance } from "../instance.js";
import type { Say } from "../main.js";
import type { BenchProject } from "../project.js";
import { until } from "../until.js";
import type { Crowd } from "./crowd.js";
import { counted, type Requests } from "./requests.js";

const sizes = [1, 100, 1000] as const;
const changes = 10;

export async function benchPasses(
  instance: Instance,
  project: BenchProject,
  crowd: Crowd,
  say: Say,
): Promise<Figure[]> {
  const { github, temporal } = instance;
  const landings = landingService(temporal.client, taskQueue);
  const pass = () => landings.refreshAll(project.key);
  const figures: Figure[] = [];
  const note = (name: string, { total, writes }: Requests) => {
    figures.push(figure(`requests_per_pass_${name}`, total, "requests"));
    figures.push(figure(`writes_per_pass_${name}`, writes, "writes"));
  };
  /** Lets `count` landings change, and counts the pass that finds out, with all that follows from it. */
  const changed = async (
    count: number,
    change: (head: string, number: number) => Promise<void>,
  ) => {
    const ending = crowd.take(count);
    for (const { head, number } of ending) await change(head, number);
    await github.idle();
    const before = project.notices.size;
    return counted(github, async () => {
      const { changed } = await pass();
      if (changed !== count) throw new Error(`${changed} landings changed, not ${count}`);
      await until("the notices", () => (project.notices.size >= before + count ? true : null));
    });
  };

  for (const size of sizes) {
    say(`${size} open landings: a pass that finds nothing new`);
    await crowd.growTo(size);
    await until("a pass without news", async () => ((await pass()).changed === 0 ? true : null));
    note(String(size), await counted(github, async () => void (await pass())));
  }
  say(`${changes} of them merge: the pass that finds out`);
  note(
    `1000_changed_${changes}`,
    await changed(changes, async (headSha) => {
      await project.repository.releaseJobs("pass", { headSha });
    }),
  );
  await crowd.growTo(1000);
  say(`${changes} of them are disarmed by a person: the pass that finds out, and reads why`);
  note(
    `1000_stopped_${changes}`,
    await changed(changes, async (_head, number) => {
      await project.repository.disarm(number, { actor: "robin" });
    }),
  );
  return figures;
}
