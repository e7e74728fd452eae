/** The required check of an armed pull request was cancelled, and entering the command again reruns it (A8). */
import type { WorkflowRun } from "../../src/simulator/world/model.js";
import { landed } from "./landing-story.js";
import type { Person } from "./person.js";
import type { SweptStory } from "./swept-run.js";

export const rerun: SweptStory = {
  before: async (person) => {
    await person.merge("landing_pending");
    const { world } = person.story.simulator;
    const by = world.pullRequests(person.story.repository)[0]?.author;
    if (by === undefined) throw new Error("there is no pull request");
    await world.cancelRun(person.story.repository, cancelled(person).id, by);
    await world.idle();
  },
  tell: async (person) => {
    await person.again(async () => {
      const answer = await person.enter();
      if (answer.ok) return cancelled(person).attempt > 1 ? null : "nothing runs again";
      if (answer.refusals.some(({ code }) => code === "rerun_uncertain")) await byHand(person);
      return person.refused(answer.refusals);
    });
    const { log } = person.story.simulator.services;
    const sent = log.list().filter(({ route }) => /^POST .*\/rerun(-failed-jobs)?$/.test(route));
    if (sent.length > 1) throw new Error(`a rerun was requested ${sent.length} times`);
    const { attempt } = cancelled(person);
    if (attempt !== 2) throw new Error(`the run is at attempt ${attempt}, not 2`);
  },
  afterwards: landed,
  expected: {
    armings: 1,
    disarmings: 0,
    queueEntries: 1,
    removals: 0,
    reentries: 0,
    episodes: 1,
    notices: ["1/landed"],
  },
};

/** The run of the head. */
function cancelled({ story, lane }: Person): WorkflowRun {
  const runs = story.simulator.world.workflowRuns(story.repository);
  const run = runs.find(({ headSha }) => headSha === lane.head);
  if (run === undefined) throw new Error("nothing ran on the head");
  return run;
}

/** As the refusal says: where GitHub shows no newer attempt, a person reruns it there. */
async function byHand(person: Person): Promise<void> {
  const { story } = person;
  const { id, attempt } = cancelled(person);
  if (attempt === 1) await story.simulator.world.rerun(story.repository, id, "failed");
}
