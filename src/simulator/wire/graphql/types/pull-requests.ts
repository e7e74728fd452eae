/** Lists of pull requests: filtered and in order. */
import type { PullRequestView, Repository } from "../../../world/model.js";
import type { GraphqlContext } from "../context.js";

export interface PullRequestFilter {
  readonly states?: readonly string[] | null;
  readonly headRefName?: string | null;
  readonly baseRefName?: string | null;
  readonly orderBy?: {
    readonly field: "CREATED_AT" | "UPDATED_AT" | "COMMENTS";
    readonly direction: "ASC" | "DESC";
  } | null;
}

export function pullRequestsOf(
  context: GraphqlContext,
  repository: Repository,
  filter: PullRequestFilter,
): PullRequestView[] {
  return context.world.pullRequests(repository).flatMap(({ number }) => {
    const view = context.view(repository, number);
    if (view === null) return [];
    const { state, headBranch, baseBranch } = view.pullRequest;
    const fits =
      (filter.states == null || filter.states.includes(state)) &&
      (filter.headRefName == null || filter.headRefName === headBranch) &&
      (filter.baseRefName == null || filter.baseRefName === baseBranch);
    return fits ? [view] : [];
  });
}

/** Without an order as made. Nobody comments here, so an order by comments is that too. */
export function orderedPullRequests(
  views: readonly PullRequestView[],
  { orderBy }: PullRequestFilter,
): PullRequestView[] {
  const sign = orderBy?.direction === "DESC" ? -1 : 1;
  const key = ({ pullRequest }: PullRequestView): string =>
    orderBy?.field === "UPDATED_AT" ? pullRequest.updatedAt : pullRequest.createdAt;
  return [...views].sort((one, other) => {
    if (key(one) !== key(other)) return key(one) < key(other) ? -sign : sign;
    return sign * (one.pullRequest.number - other.pullRequest.number);
  });
}
