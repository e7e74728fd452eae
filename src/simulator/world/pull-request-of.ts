/** Finding a pull request, or refusing. */
import type { Engine } from "./engine.js";
import type { PullRequest, Repository } from "./model.js";
import { notFound } from "./refusal.js";
import type { RepositoryState } from "./state.js";

/** @throws Refusal NOT_FOUND. */
export function requirePullRequest(
  engine: Engine,
  repository: Repository,
  number: number,
): { readonly state: RepositoryState; readonly pullRequest: PullRequest } {
  const state = engine.repositoryState(repository);
  const pullRequest = state.pullRequests.find((one) => one.number === number);
  if (pullRequest === undefined) throw notFound(`a PullRequest with the number of ${number}`);
  return { state, pullRequest };
}
