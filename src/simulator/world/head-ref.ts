/** `refs/pull/<n>/head`: the head of a pull request, in the base repository. */
import type { Engine } from "./engine.js";
import type { PullRequest } from "./model.js";
import type { RepositoryState } from "./state.js";

/** Brings the head commit over from a fork first. `source` is the head's repository. */
export async function writeHeadRef(
  engine: Engine,
  home: RepositoryState,
  source: RepositoryState,
  pullRequest: PullRequest,
): Promise<void> {
  const git = engine.git(home.repository);
  const ref = `refs/pull/${pullRequest.number}/head`;
  if (source !== home)
    await git.run([
      "fetch",
      "--quiet",
      "--no-tags",
      source.repository.gitDir,
      `+refs/heads/${pullRequest.headBranch}:${ref}`,
    ]);
  await git.run(["update-ref", ref, pullRequest.headSha]);
}
