/** What a story still waits for, in lines: for the error of a wait that gave up. */
import type { Story } from "./story.js";

export async function whatIsBusy(story: Story, item: string): Promise<string[]> {
  const { simulator, repository, context } = story;
  const { world, services } = simulator;
  const view = await context.landings.view(item).catch((error: unknown) => String(error));
  const landing =
    typeof view === "string"
      ? `its workflow does not answer: ${view}`
      : view === null
        ? "it has no workflow"
        : `it is ${view.state.phase}, version ${view.version}: ${view.why}`;
  const queue = world.queue(repository, "main")?.entries ?? [];
  const pullRequests = world
    .pullRequests(repository)
    .map(
      ({ number, state, autoMerge }) =>
        `#${number} ${state}${autoMerge === null ? "" : ", merge-when-ready"}`,
    );
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ["GitHub is busy with", world.busy()],
    ["GitHub answers", services.log.open()],
    ["checks held by the test", world.heldJobs(repository).map(({ job }) => job.name)],
    ["queue", queue.map(({ pullRequest, state }) => `#${pullRequest} ${state}`)],
    ["pull requests", pullRequests],
  ];
  return [landing, ...lists.map(([name, all]) => `${name}: ${all.join(", ") || "nothing"}`)];
}
