/** One landing from its lane to its close-out, for checkers to look at. */
import type { Story } from "../scenarios/story.js";

export async function land(story: Story, title: string): Promise<string> {
  const { item, lane } = await story.lane(title);
  await story.qualify(item, lane);
  await story.merge(item, lane.path);
  await story.finishChecks();
  await story.settle(item, "landed");
  const landed = await story.merge(item, lane.path);
  if (landed.exit !== 0) throw new Error(`${item} was not closed out: ${JSON.stringify(landed)}`);
  return item;
}
