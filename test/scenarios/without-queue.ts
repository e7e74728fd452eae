/** A project that declares no queue, so that its pull requests are merged directly (A12.3). */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Story } from "./story.js";

const noQueue = { queue: null, required_checks: [{ context: "ci" }], strict: false };

export async function storyWithoutQueue(): Promise<Story> {
  const story = await Story.begin();
  const checks = [{ context: "ci", integrationId: null }];
  await story.simulator.world.setRuleset(story.repository, {
    name: "main",
    requiredStatusChecks: { checks },
  });
  await commitOnGate(story, ".yoke/merge-queue.json", JSON.stringify(noQueue));
  await Story.git(join(story.home, "clone"), "fetch", "-q");
  return story;
}

/** A person pushes a commit to the gate branch. */
export async function commitOnGate(story: Story, file: string, text: string): Promise<void> {
  const clone = join(story.home, "clone");
  await Story.git(clone, "pull", "-q", "--ff-only");
  await mkdir(join(clone, file, ".."), { recursive: true });
  await writeFile(join(clone, file), text);
  await Story.git(clone, "add", "-A");
  await Story.git(clone, "commit", "-qm", file);
  await Story.git(clone, "push", "-q", "origin", "main");
  story.byPeople.push(await Story.git(clone, "rev-parse", "HEAD"));
}
