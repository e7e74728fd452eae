/** The gate branch of the simulated repository, as it grew. */
import type { PullRequest } from "../../src/simulator/world/model.js";
import { projectOf, type SimulatedWorld } from "./world.js";

export interface GateCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  /** The pull request that GitHub says merged as this commit. */
  readonly pullRequest: PullRequest | null;
}

/** First-parent history behind the first commit, the oldest first, without what people put there. */
export async function landedOnGate(world: SimulatedWorld): Promise<GateCommit[]> {
  const { first, commits } = await gateHistory(world);
  const people = new Set(world.byPeople);
  const { services, repository } = world.simulator;
  const merged = services.world.pullRequests(repository).filter(({ state }) => state === "MERGED");
  return commits
    .filter((commit) => commit.sha !== first && !people.has(commit.sha))
    .map((commit) => ({
      ...commit,
      pullRequest: merged.find(({ mergeCommit }) => mergeCommit === commit.sha) ?? null,
    }));
}

/** First-parent history, the oldest first; `first` is where it begins. */
export async function gateHistory(world: SimulatedWorld): Promise<{
  readonly first: string | undefined;
  readonly commits: readonly { readonly sha: string; readonly parents: readonly string[] }[];
}> {
  const { services, repository } = world.simulator;
  const { gateBranch } = await projectOf(world);
  const { stdout } = await services.world
    .git(repository)
    .run(["rev-list", "--first-parent", "--reverse", "--parents", `refs/heads/${gateBranch}`]);
  const commits = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [sha = "", ...parents] = line.split(" ");
      return { sha, parents };
    });
  return { first: commits[0]?.sha, commits };
}
