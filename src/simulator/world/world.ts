/**
 * The simulated GitHub without its wire. Readers (`repository`, `pullRequest`, …) answer from memory and
 * at once; whatever changes the world is a promise, runs alone, and resolves after the world has settled
 * on its consequences (queue passes, checks that conclude at once). Refusals are thrown as `Refusal`.
 */
import type { Clock } from "../clock.js";
import { SteppedClock } from "../clock.js";
import * as actions from "./actions.js";
import * as apps from "./apps.js";
import * as autoMerge from "./auto-merge.js";
import * as checks from "./checks.js";
import { Engine } from "./engine.js";
import * as faults from "./faults.js";
import type { GitDirectory } from "./git.js";
import * as hooks from "./hooks.js";
import * as jobs from "./jobs.js";
import { LAWS } from "./laws.js";
import { mergeabilityFor, type Mergeability } from "./mergeability.js";
import * as merging from "./merging.js";
import type * as model from "./model.js";
import { findNode, type WorldNode } from "./nodes.js";
import * as pulls from "./pulls.js";
import * as push from "./push.js";
import { queueView, type QueueView } from "./queue-view.js";
import * as queue from "./queue.js";
import * as refs from "./refs.js";
import { Refusal } from "./refusal.js";
import * as repositories from "./repositories.js";
import type * as request from "./requests.js";
import { checkVerdict, type CheckVerdict } from "./required-checks.js";
import { branchRules, type BranchRules } from "./rules.js";
import * as rulesets from "./rulesets.js";
import * as tokens from "./tokens.js";
import { pullRequestView } from "./views.js";

type Repository = model.Repository;

export class World {
  readonly #engine: Engine;

  constructor(options: request.WorldOptions) {
    this.#engine = new Engine(options, LAWS);
  }

  get clock(): Clock {
    return this.#engine.clock;
  }

  /** Address in links and payloads, without a final slash; set it once the server listens. */
  get baseUrl(): string {
    return this.#engine.baseUrl;
  }

  set baseUrl(url: string) {
    this.#engine.baseUrl = url;
  }

  /** Moves a stepped clock by `ms` and runs what falls due (S10). @throws Refusal on a real clock. */
  async advance(ms: number): Promise<void> {
    const { clock } = this.#engine;
    if (!(clock instanceof SteppedClock))
      throw new Refusal("CONFLICT", "The clock is real and cannot be stepped.");
    await clock.advance(ms);
  }

  /** What is going on now and ends by itself; empty when the world stands still. */
  busy(): string[] {
    return this.#engine.busy();
  }

  /** Resolves when `busy()` is empty. Jobs on hold and timers of a stepped clock do not count. */
  idle(): Promise<void> {
    return this.#engine.idle();
  }

  /** Finishes what runs, writes `world.json`, and stops all timers. */
  close(): Promise<void> {
    return this.#engine.close();
  }

  // Repositories

  repositories(): Repository[] {
    return repositories.list(this.#engine);
  }

  repository(owner: string, name: string): Repository | null {
    return repositories.find(this.#engine, owner, name);
  }

  repositoryById(id: number): Repository | null {
    return repositories.findById(this.#engine, id);
  }

  /** What a node id stands for, or null. */
  node(nodeId: string): WorldNode | null {
    return findNode(this.#engine, nodeId);
  }

  /** Reads of the bare git repository: refs, commits, comparisons. */
  git(repository: Repository): GitDirectory {
    return this.#engine.git(repository);
  }

  createRepository(ask: request.CreateRepository): Promise<Repository> {
    return this.#engine.mutate("create repository", () => repositories.create(this.#engine, ask));
  }

  updateRepository(repository: Repository, ask: request.UpdateRepository): Promise<Repository> {
    return this.#engine.mutate("update repository", () =>
      repositories.update(this.#engine, repository, ask),
    );
  }

  deleteRepository(repository: Repository): Promise<void> {
    return this.#engine.mutate("delete repository", () =>
      repositories.remove(this.#engine, repository),
    );
  }

  forkRepository(repository: Repository, owner: string): Promise<Repository> {
    return this.#engine.mutate("fork", () => repositories.fork(this.#engine, repository, owner));
  }

  // Refs

  /** One commit on a branch (made when absent, from the default branch); returns its oid. */
  commitFiles(repository: Repository, ask: request.CommitFiles): Promise<string> {
    return this.#engine.mutate("commit files", () =>
      refs.commitFiles(this.#engine, repository, ask),
    );
  }

  /** `at`: a branch, ref or oid, by default the default branch. Returns the oid. */
  createBranch(
    repository: Repository,
    ask: { name: string; at?: string; actor?: model.Actor },
  ): Promise<string> {
    return this.#engine.mutate("create branch", () =>
      refs.createBranch(this.#engine, repository, ask),
    );
  }

  deleteBranch(repository: Repository, name: string, actor?: model.Actor): Promise<void> {
    return this.#engine.mutate("delete branch", () =>
      refs.deleteBranch(this.#engine, repository, name, actor),
    );
  }

  renameBranch(repository: Repository, name: string, to: string): Promise<void> {
    return this.#engine.mutate("rename branch", () =>
      refs.renameBranch(this.#engine, repository, name, to),
    );
  }

  /**
   * Moves a branch as `PATCH git/refs` does. @throws Refusal UNPROCESSABLE when it is not a
   * fast-forward and `force` is false, or when a push of it would be refused.
   */
  updateBranch(
    repository: Repository,
    ask: { name: string; sha: string; force?: boolean; actor: model.Actor },
  ): Promise<void> {
    return this.#engine.mutate("update branch", () =>
      refs.updateBranch(this.#engine, repository, ask),
    );
  }

  /**
   * Tells the world which refs a git push has moved. Refusals of single refs (GH006, GH013) have been
   * made before, by the `update` hook of the bare repository.
   */
  afterPush(
    repository: Repository,
    updates: readonly model.RefUpdate[],
    actor: model.Actor,
  ): Promise<void> {
    return this.#engine.mutate("push", () =>
      push.afterPush(this.#engine, repository, updates, actor),
    );
  }

  // Rules

  setRuleset(repository: Repository, ask: request.SetRuleset): Promise<model.Ruleset> {
    return this.#engine.mutate("set ruleset", () =>
      rulesets.setRuleset(this.#engine, repository, ask),
    );
  }

  deleteRuleset(repository: Repository, id: number): Promise<void> {
    return this.#engine.mutate("delete ruleset", () =>
      rulesets.deleteRuleset(this.#engine, repository, id),
    );
  }

  /** Active rules of a branch, merged over all rulesets; the branch need not exist. */
  branchRules(repository: Repository, branch: string): BranchRules {
    return branchRules(repository, branch);
  }

  /** How one required check stands on a commit. */
  checkVerdict(repository: Repository, sha: string, check: model.RequiredCheck): CheckVerdict {
    return checkVerdict(this.#engine.repositoryState(repository), sha, check);
  }

  // Pull requests

  pullRequests(repository: Repository): model.PullRequest[] {
    return this.#engine.repositoryState(repository).pullRequests;
  }

  /** The live object, without lag. */
  pullRequest(repository: Repository, number: number): model.PullRequest | null {
    return pulls.find(this.#engine, repository, number);
  }

  /** As a reader sees it: `at` (milliseconds) is by default now less the repository's lag. */
  pullRequestView(
    repository: Repository,
    number: number,
    ask: { at?: number } = {},
  ): model.PullRequestView | null {
    return pullRequestView(this.#engine, repository, number, ask.at);
  }

  /**
   * Conflicts and merge state, with the UNKNOWN windows of the options. Only `computeMergeable`
   * (somebody selected `mergeable`) starts the computation (quirk 1).
   */
  mergeability(
    repository: Repository,
    number: number,
    ask: { computeMergeable: boolean },
  ): Promise<Mergeability> {
    return mergeabilityFor(this.#engine, repository, number, ask.computeMergeable);
  }

  createPullRequest(
    repository: Repository,
    ask: request.CreatePullRequest,
  ): Promise<model.PullRequest> {
    return this.#engine.mutate("open pull request", () =>
      pulls.create(this.#engine, repository, ask),
    );
  }

  editPullRequest(
    repository: Repository,
    number: number,
    ask: request.EditPullRequest,
  ): Promise<model.PullRequest> {
    return this.#engine.mutate("edit pull request", () =>
      pulls.edit(this.#engine, repository, number, ask),
    );
  }

  closePullRequest(
    repository: Repository,
    number: number,
    actor: model.Actor,
  ): Promise<model.PullRequest> {
    return this.#engine.mutate("close pull request", () =>
      pulls.closeByActor(this.#engine, repository, number, actor),
    );
  }

  reopenPullRequest(
    repository: Repository,
    number: number,
    actor: model.Actor,
  ): Promise<model.PullRequest> {
    return this.#engine.mutate("reopen pull request", () =>
      pulls.reopen(this.#engine, repository, number, actor),
    );
  }

  setDraft(
    repository: Repository,
    number: number,
    draft: boolean,
    actor: model.Actor,
  ): Promise<model.PullRequest> {
    return this.#engine.mutate("set draft", () =>
      pulls.setDraft(this.#engine, repository, number, draft, actor),
    );
  }

  approve(repository: Repository, number: number, actor: model.Actor): Promise<model.PullRequest> {
    return this.#engine.mutate("approve", () =>
      pulls.approve(this.#engine, repository, number, actor),
    );
  }

  /** Merges the base into the head branch, as `update-branch` does. Returns the new head. */
  updatePullRequestBranch(
    repository: Repository,
    number: number,
    ask: { expectedHeadOid?: string; actor: model.Actor },
  ): Promise<string> {
    return this.#engine.mutate("update pull request branch", () =>
      pulls.updateBranch(this.#engine, repository, number, ask),
    );
  }

  /** Direct merge. @throws Refusal NOT_ALLOWED on a queued base (A11), CONFLICT when the head moved. */
  mergePullRequest(
    repository: Repository,
    number: number,
    ask: request.MergePullRequest,
  ): Promise<string> {
    return this.#engine.mutate("merge pull request", () =>
      merging.mergeDirectly(this.#engine, repository, number, ask),
    );
  }

  // Merge queue

  /** The queue of a branch; null when no active ruleset gives it one. */
  queue(repository: Repository, branch: string): QueueView | null {
    return queueView(this.#engine, repository, branch);
  }

  enableAutoMerge(
    repository: Repository,
    number: number,
    ask: request.EnableAutoMerge,
  ): Promise<model.PullRequest> {
    return this.#engine.mutate("enable auto-merge", () =>
      autoMerge.enable(this.#engine, repository, number, ask),
    );
  }

  disableAutoMerge(
    repository: Repository,
    number: number,
    actor: model.Actor,
  ): Promise<model.PullRequest> {
    return this.#engine.mutate("disable auto-merge", () =>
      autoMerge.disable(this.#engine, repository, number, actor),
    );
  }

  enqueue(
    repository: Repository,
    number: number,
    ask: request.EnqueuePullRequest,
  ): Promise<model.QueueEntry> {
    return this.#engine.mutate("enqueue", () =>
      queue.enqueue(this.#engine, repository, number, ask),
    );
  }

  dequeue(repository: Repository, number: number, actor: model.Actor): Promise<model.QueueEntry> {
    return this.#engine.mutate("dequeue", () =>
      queue.dequeue(this.#engine, repository, number, actor),
    );
  }

  /** Admin API: removes an entry as GitHub would for `reason` (A39). */
  removeFromQueue(
    repository: Repository,
    number: number,
    reason: model.DequeueReason,
  ): Promise<void> {
    return this.#engine.mutate("remove from queue", () =>
      queue.removeByAdmin(this.#engine, repository, number, reason),
    );
  }

  // Checks and statuses

  /** Newest first. */
  checkRuns(repository: Repository, sha: string): model.CheckRun[] {
    return checks.runsOf(this.#engine.repositoryState(repository), sha);
  }

  checkRun(repository: Repository, id: number): model.CheckRun | null {
    return checks.runById(this.#engine.repositoryState(repository), id);
  }

  checkSuites(repository: Repository, sha: string): model.CheckSuite[] {
    return checks.suitesOf(this.#engine.repositoryState(repository), sha);
  }

  checkSuite(repository: Repository, id: number): model.CheckSuite | null {
    return checks.suiteById(this.#engine.repositoryState(repository), id);
  }

  /** Whole history, newest first. */
  statuses(repository: Repository, sha: string): model.CommitStatus[] {
    return checks.statusesOf(this.#engine.repositoryState(repository), sha);
  }

  createCheckRun(repository: Repository, ask: request.ReportCheckRun): Promise<model.CheckRun> {
    return this.#engine.mutate("create check run", () =>
      checks.createCheckRun(this.#engine, repository, ask),
    );
  }

  updateCheckRun(
    repository: Repository,
    id: number,
    ask: request.UpdateCheckRun,
  ): Promise<model.CheckRun> {
    return this.#engine.mutate("update check run", () =>
      checks.updateCheckRun(this.#engine, repository, id, ask),
    );
  }

  /** @throws Refusal after 1,000 per commit and context, or for a long description (github-facts 2.3). */
  createStatus(repository: Repository, ask: request.ReportStatus): Promise<model.CommitStatus> {
    return this.#engine.mutate("create status", () =>
      checks.createStatus(this.#engine, repository, ask),
    );
  }

  // Actions

  workflows(repository: Repository): model.Workflow[] {
    return this.#engine.repositoryState(repository).workflows;
  }

  /** Replaces the scripts; a script of the same path keeps its workflow id. */
  setWorkflows(
    repository: Repository,
    scripts: readonly model.WorkflowScript[],
  ): Promise<model.Workflow[]> {
    return this.#engine.mutate("set workflows", () =>
      actions.setWorkflows(this.#engine, repository, scripts),
    );
  }

  /** Newest first. */
  workflowRuns(repository: Repository): model.WorkflowRun[] {
    return actions.runs(this.#engine.repositoryState(repository));
  }

  workflowRun(repository: Repository, id: number): model.WorkflowRun | null {
    return actions.runById(this.#engine.repositoryState(repository), id);
  }

  /** `workflow`: id, path, or the file's name. */
  dispatchWorkflow(
    repository: Repository,
    ask: { workflow: string; ref: string; actor: model.Actor },
  ): Promise<model.WorkflowRun> {
    return this.#engine.mutate("dispatch workflow", () =>
      actions.dispatch(this.#engine, repository, ask),
    );
  }

  /** A new attempt: of all jobs, of the failed ones, or of one. Refused while the run goes on. */
  rerun(
    repository: Repository,
    runId: number,
    which: "all" | "failed" | { jobId: number },
  ): Promise<model.WorkflowRun> {
    return this.#engine.mutate("rerun", () =>
      actions.rerun(this.#engine, repository, runId, which),
    );
  }

  cancelRun(repository: Repository, runId: number): Promise<model.WorkflowRun> {
    return this.#engine.mutate("cancel run", () => actions.cancel(this.#engine, repository, runId));
  }

  /** Jobs that only the admin API ends: `hold` ones running, and `never` ones queued. */
  heldJobs(repository?: Repository): jobs.HeldJob[] {
    return jobs.held(this.#engine, repository);
  }

  /** Ends a held job. */
  releaseJob(jobId: number, conclusion: "pass" | "fail" | "cancel"): Promise<model.Job> {
    return this.#engine.mutate("release job", () => jobs.release(this.#engine, jobId, conclusion));
  }

  // Apps, people, tokens

  apps(): model.App[] {
    return this.#engine.state.apps;
  }

  installations(): model.Installation[] {
    return this.#engine.state.installations;
  }

  users(): model.User[] {
    return this.#engine.state.users;
  }

  createUser(login: string, access: "read" | "write" = "write"): Promise<model.User> {
    return this.#engine.mutate("create user", () => tokens.createUser(this.#engine, login, access));
  }

  createPersonalToken(login: string, scopes: readonly string[] = ["repo"]): Promise<string> {
    return this.#engine.mutate("create token", () =>
      tokens.createPersonalToken(this.#engine, login, scopes),
    );
  }

  /** The private key (PEM) is given once and not kept. */
  createApp(ask: request.CreateApp): Promise<{ app: model.App; privateKey: string }> {
    return this.#engine.mutate("create app", () => apps.create(this.#engine, ask));
  }

  updateApp(
    appId: number,
    ask: Partial<Pick<model.App, "events" | "permissions" | "webhook">>,
  ): Promise<model.App> {
    return this.#engine.mutate("update app", () => apps.update(this.#engine, appId, ask));
  }

  /** `repositoryIds`: only these; without it all repositories of the account. */
  installApp(
    appId: number,
    ask: { account: string; repositoryIds?: readonly number[] },
  ): Promise<model.Installation> {
    return this.#engine.mutate("install app", () => apps.install(this.#engine, appId, ask));
  }

  suspendInstallation(id: number, suspended: boolean): Promise<model.Installation> {
    return this.#engine.mutate("suspend installation", () =>
      apps.suspend(this.#engine, id, suspended),
    );
  }

  deleteInstallation(id: number): Promise<void> {
    return this.#engine.mutate("delete installation", () => apps.uninstall(this.#engine, id));
  }

  /** Lives one hour of the simulator's clock. @throws Refusal for rights the installation lacks. */
  createInstallationToken(
    installationId: number,
    ask: {
      permissions?: Readonly<Record<string, string>>;
      repositoryIds?: readonly number[];
    } = {},
  ): Promise<Extract<model.Token, { kind: "installation" }>> {
    return this.#engine.mutate("create installation token", () =>
      tokens.createInstallationToken(this.#engine, installationId, ask),
    );
  }

  /** True when the token existed and was alive. */
  revokeToken(token: string): Promise<boolean> {
    return this.#engine.mutate("revoke token", () => tokens.revoke(this.#engine, token));
  }

  /**
   * Who an `Authorization` header stands for: `Bearer`/`token` with a token or an App's JWT, or `Basic`
   * with a token as the password. Null: nobody (unknown, expired, revoked, suspended).
   */
  authenticate(authorization: string): model.Principal | null {
    return tokens.authenticate(this.#engine, authorization);
  }

  /** Whether the principal sees the repository; null is an anonymous reader. */
  canRead(principal: model.Principal | null, repository: Repository): boolean {
    return tokens.canRead(principal, repository);
  }

  /** Whether the principal may push to it. */
  canWrite(principal: model.Principal | null, repository: Repository): boolean {
    return tokens.canWrite(principal, repository);
  }

  // Webhooks and faults

  hooks(repository: Repository): model.RepositoryHook[] {
    return hooks.list(this.#engine, repository);
  }

  createHook(repository: Repository, ask: request.CreateHook): Promise<model.RepositoryHook> {
    return this.#engine.mutate("create hook", () => hooks.create(this.#engine, repository, ask));
  }

  deleteHook(id: number): Promise<void> {
    return this.#engine.mutate("delete hook", () => hooks.remove(this.#engine, id));
  }

  /** Oldest first. */
  deliveries(): model.Delivery[] {
    return this.#engine.state.deliveries;
  }

  /** Sends a delivery again under the same GUID (github-facts 3.4); returns the new item. */
  redeliver(deliveryId: number): Promise<model.Delivery> {
    return this.#engine.mutate("redeliver", () => hooks.redeliver(this.#engine, deliveryId));
  }

  webhookFaults(): model.WebhookFault[] {
    return this.#engine.state.webhookFaults;
  }

  addWebhookFault(ask: request.AddWebhookFault): Promise<model.WebhookFault> {
    return this.#engine.mutate("add fault", () => faults.addWebhookFault(this.#engine, ask));
  }

  /** Forgets all webhook faults and sends what a `reorder` kept back. */
  clearWebhookFaults(): Promise<void> {
    return this.#engine.mutate("clear faults", () => faults.clearWebhookFaults(this.#engine));
  }

  /** The next merge by the queue writes the tree of the commit before it (A34). */
  writeWrongTree(repository: Repository): Promise<void> {
    return this.#engine.mutate("write wrong tree", () =>
      faults.writeWrongTree(this.#engine, repository),
    );
  }
}
