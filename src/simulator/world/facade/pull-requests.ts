/** Pull requests and the merge queue. */
import * as autoMerge from "../auto-merge.js";
import { mergeabilityFor, type Mergeability } from "../mergeability.js";
import * as merging from "../merging.js";
import type * as model from "../model.js";
import * as pulls from "../pulls.js";
import { queueView, type QueueView } from "../queue-view.js";
import * as queue from "../queue.js";
import type * as request from "../requests.js";
import { pullRequestView } from "../views.js";
import { WorldRepositories } from "./repositories.js";

type Repository = model.Repository;

export class WorldPullRequests extends WorldRepositories {
  pullRequests(repository: Repository): model.PullRequest[] {
    return this.engine.repositoryState(repository).pullRequests;
  }

  /** The live object, without lag. */
  pullRequest(repository: Repository, number: number): model.PullRequest | null {
    return pulls.find(this.engine, repository, number);
  }

  /** As a reader sees it: `at` (milliseconds) is by default now less the repository's lag. */
  pullRequestView(
    repository: Repository,
    number: number,
    ask: { at?: number } = {},
  ): model.PullRequestView | null {
    return pullRequestView(this.engine, repository, number, ask.at);
  }

  /**
   * Conflicts and merge state, with the UNKNOWN windows of the options. Only `computeMergeable`
   * (somebody selected `mergeable`) starts the computation (quirk 1). `testMerge: false` spares the three
   * git processes that make the test merge.
   */
  mergeability(
    repository: Repository,
    number: number,
    ask: { computeMergeable: boolean; testMerge?: boolean },
  ): Promise<Mergeability> {
    return mergeabilityFor(this.engine, repository, number, ask);
  }

  createPullRequest(
    repository: Repository,
    ask: request.CreatePullRequest,
  ): Promise<model.PullRequest> {
    return this.engine.mutate("open pull request", () =>
      pulls.create(this.engine, repository, ask),
    );
  }

  editPullRequest(
    repository: Repository,
    number: number,
    ask: request.EditPullRequest,
  ): Promise<model.PullRequest> {
    return this.engine.mutate("edit pull request", () =>
      pulls.edit(this.engine, repository, number, ask),
    );
  }

  closePullRequest(
    repository: Repository,
    number: number,
    actor: model.Actor,
  ): Promise<model.PullRequest> {
    return this.engine.mutate("close pull request", () =>
      pulls.closeByActor(this.engine, repository, number, actor),
    );
  }

  reopenPullRequest(
    repository: Repository,
    number: number,
    actor: model.Actor,
  ): Promise<model.PullRequest> {
    return this.engine.mutate("reopen pull request", () =>
      pulls.reopen(this.engine, repository, number, actor),
    );
  }

  setDraft(
    repository: Repository,
    number: number,
    draft: boolean,
    actor: model.Actor,
  ): Promise<model.PullRequest> {
    return this.engine.mutate("set draft", () =>
      pulls.setDraft(this.engine, repository, number, draft, actor),
    );
  }

  approve(repository: Repository, number: number, actor: model.Actor): Promise<model.PullRequest> {
    return this.engine.mutate("approve", () =>
      pulls.approve(this.engine, repository, number, actor),
    );
  }

  /** Merges the base into the head branch, as `update-branch` does. Returns the new head. */
  updatePullRequestBranch(
    repository: Repository,
    number: number,
    ask: { expectedHeadOid?: string; actor: model.Actor },
  ): Promise<string> {
    return this.engine.mutate("update pull request branch", () =>
      pulls.updateBranch(this.engine, repository, number, ask),
    );
  }

  /** Direct merge. @throws Refusal NOT_ALLOWED on a queued base (A11), CONFLICT when the head moved. */
  mergePullRequest(
    repository: Repository,
    number: number,
    ask: request.MergePullRequest,
  ): Promise<string> {
    return this.engine.mutate("merge pull request", () =>
      merging.mergeDirectly(this.engine, repository, number, ask),
    );
  }

  // Merge queue

  /** The queue of a branch; null when no active ruleset gives it one. */
  queue(repository: Repository, branch: string): QueueView | null {
    return queueView(this.engine, repository, branch);
  }

  enableAutoMerge(
    repository: Repository,
    number: number,
    ask: request.EnableAutoMerge,
  ): Promise<model.PullRequest> {
    return this.engine.mutate("enable auto-merge", () =>
      autoMerge.enable(this.engine, repository, number, ask),
    );
  }

  disableAutoMerge(
    repository: Repository,
    number: number,
    actor: model.Actor,
  ): Promise<model.PullRequest> {
    return this.engine.mutate("disable auto-merge", () =>
      autoMerge.disable(this.engine, repository, number, actor),
    );
  }

  enqueue(
    repository: Repository,
    number: number,
    ask: request.EnqueuePullRequest,
  ): Promise<model.QueueEntry> {
    return this.engine.mutate("enqueue", () => queue.enqueue(this.engine, repository, number, ask));
  }

  dequeue(repository: Repository, number: number, actor: model.Actor): Promise<model.QueueEntry> {
    return this.engine.mutate("dequeue", () =>
      queue.dequeue(this.engine, repository, number, actor),
    );
  }

  /** Admin API: removes an entry as GitHub would for `reason` (A39). */
  removeFromQueue(
    repository: Repository,
    number: number,
    reason: model.DequeueReason,
  ): Promise<void> {
    return this.engine.mutate("remove from queue", () =>
      queue.removeByAdmin(this.engine, repository, number, reason),
    );
  }
}
