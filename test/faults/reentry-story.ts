/** A queue conflict, the wait for the entry ahead, and automatic re-entry with the unchanged head (A7.1-A7.4). */
import { landed } from "./landing-story.js";
import type { SweptStory } from "./swept-run.js";

export const reentry: SweptStory = {
  /** Somebody else's change of the same file is queued, its group is being checked. */
  before: async (person) => {
    const { story, item } = person;
    const ahead = await story.lane("Plant tea", `${item}.txt`);
    await story.qualify(ahead.item, ahead.lane);
    await story.merge(ahead.item, ahead.lane.path);
    await person.headChecked(ahead.lane);
    await person.merge("landing_pending");
  },
  tell: async (person) => {
    await person.headChecked();
    await person.noticed("queue_conflict");
    await person.story.finishChecks("fail");
    await person.inPhase("pending");
  },
  afterwards: landed,
  expected: {
    armings: 1,
    disarmings: 0,
    queueEntries: 2,
    removals: 1,
    reentries: 1,
    episodes: 1,
    notices: ["1/queue_conflict", "1/landed"],
  },
};
