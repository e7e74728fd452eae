/** A hold of a landing (A6.2), of its pull request while it is armed or while it is queued; then it lands all the same. */
import { landed } from "./landing-story.js";
import type { Person } from "./person.js";
import type { SweptStory } from "./swept-run.js";

export const holdOfArmed: SweptStory = {
  before: (person) => person.merge("landing_pending"),
  tell: letGo,
  afterwards: againAndLanded,
  expected: {
    armings: 2,
    disarmings: 1,
    queueEntries: 1,
    removals: 0,
    reentries: 0,
    episodes: 2,
    notices: ["2/landed"],
  },
};

export const holdOfQueued: SweptStory = {
  before: async (person) => {
    await person.merge("landing_pending");
    await person.headChecked();
  },
  tell: letGo,
  afterwards: againAndLanded,
  expected: {
    armings: 1,
    disarmings: 0,
    queueEntries: 2,
    removals: 1,
    reentries: 0,
    episodes: 2,
    notices: ["2/landed"],
  },
};

/** What the command confirms is so. */
async function letGo(person: Person): Promise<void> {
  await person.hold();
  const { world } = person.story.simulator;
  const [pullRequest] = world.pullRequests(person.story.repository);
  const entries = world.queue(person.story.repository, "main")?.entries ?? [];
  if (pullRequest?.autoMerge !== null || entries.length > 0)
    throw new Error("the hold was confirmed, and GitHub holds the pull request");
}

async function againAndLanded(person: Person): Promise<void> {
  await person.merge("landing_pending");
  await landed(person);
}
