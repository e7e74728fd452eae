/** The story of one landing, from the first command to the close-out. */
import type { Person } from "./person.js";
import type { SweptStory } from "./swept-run.js";

export const landing: SweptStory = {
  before: async () => undefined,
  tell: async (person) => {
    await person.merge("landing_pending", "landed");
    await landed(person);
  },
  afterwards: async () => undefined,
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

/** An armed landing goes on to its end: checks of the head, then of the group, the notice, the close-out. */
export async function landed(person: Person): Promise<void> {
  await person.story.finishChecks();
  await person.story.finishChecks();
  await person.noticed("landed");
  await person.merge("landed");
  await person.ended();
}
