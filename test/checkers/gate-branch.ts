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
  const landed = commits
    .filter((commit) => commit.sha !== first && !people.has(commit.sha))
    .map((commit) => ({
      ...commit,
      pullRequest: merged.find(({ mergeCommit }) => mergeCommit === commit.sha) ?? null,
    }));
  const whole: GateCommit[] = [];
  for (const [at, commit] of landed.entries()) {
    // A rebase puts every commit of the pull request on the branch; GitHub names the last one.
    const last = landed.slice(at + 1).find(({ pullRequest }) => pullRequest !== null);
    const replayed =
      commit.pullRequest === null &&
      last?.pullRequest != null &&
      (await isReplayed(world, commit, last.pullRequest));
    if (!replayed) whole.push(commit);
  }
  return whole;
}

/** Whether the commit makes the very change of a commit of the pull request's head. */
async function isReplayed(
  world: SimulatedWorld,
  { sha, parents }: Pick<GateCommit, "sha" | "parents">,
  { headSha }: PullRequest,
): Promise<boolean> {
  if (parents.length !== 1) return false;
  const { services, repository } = world.simulator;
  const git = services.world.git(repository);
  const changeOf = async (commit: string): Promise<string> => {
    const { stdout } = await git.run(["diff-tree", "-p", "-U0", "--root", commit]);
    const patch = await git.run(["patch-id", "--stable"], { input: stdout });
    return patch.stdout.split(" ")[0] ?? "";
  };
  const change = await changeOf(sha);
  for (const own of await git.commitsBetween(sha, headSha)) {
    if ((await changeOf(own.sha)) === change) return true;
  }
  return false;
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
