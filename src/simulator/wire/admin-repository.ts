/** One repository, through the admin API. Logins stand for people: `robin`, `app-slug[bot]`; without one, the admin. */
import type {
  CheckRun,
  CheckSuite,
  CommitStatus,
  DequeueReason,
  Job,
  MergeMethod,
  PullRequest,
  QueueEntryView,
  QueueSettings,
  Repository,
  RepositoryHook,
  Ruleset,
  Workflow,
  WorkflowRun,
  WorkflowScript,
} from "../world/model.js";
import type {
  CreateHook,
  CreatePullRequest,
  EditPullRequest,
  ReportCheckRun,
  ReportStatus,
  SetRuleset,
  UpdateCheckRun,
  UpdateRepository,
} from "../world/requests.js";
import type { AdminTransport } from "./admin-transport.js";

export type PullRequestShown = PullRequest & { readonly entry: QueueEntryView | null };

export type HeldJobShown = Job & {
  readonly repository: string;
  readonly event: WorkflowRun["event"];
  readonly headSha: string;
  readonly headBranch: string;
};

interface By {
  readonly actor?: string;
}

interface Expecting extends By {
  readonly expectedHeadOid?: string;
}

interface At {
  readonly name: string;
  readonly sha: string;
}

export class RepositoryAdmin {
  readonly #call: AdminTransport;
  readonly #path: string;

  constructor(
    call: AdminTransport,
    readonly owner: string,
    readonly name: string,
  ) {
    this.#call = call;
    this.#path = `/repositories/${owner}/${name}`;
  }

  get(): Promise<Repository> {
    return this.#call.get(this.#path);
  }

  update(ask: UpdateRepository): Promise<Repository> {
    return this.#call.patch(this.#path, ask);
  }

  delete(): Promise<void> {
    return this.#call.delete(this.#path);
  }

  fork(owner: string): Promise<Repository> {
    return this.#call.post(`${this.#path}/forks`, { owner });
  }

  /** The next merge by the queue writes the tree of the commit before it. */
  async writeWrongTree(): Promise<void> {
    await this.#call.post(`${this.#path}/wrong-tree`);
  }

  // Branches and commits

  branches(): Promise<At[]> {
    return this.#call.get(`${this.#path}/branches`);
  }

  createBranch(ask: { readonly name: string; readonly at?: string } & By): Promise<At> {
    return this.#call.post(`${this.#path}/branches`, ask);
  }

  updateBranch(
    name: string,
    ask: { readonly sha: string; readonly force?: boolean } & By,
  ): Promise<At> {
    return this.#call.patch(`${this.#path}/branches/${name}`, ask);
  }

  deleteBranch(name: string, actor?: string): Promise<void> {
    const by = actor === undefined ? "" : `?actor=${encodeURIComponent(actor)}`;
    return this.#call.delete(`${this.#path}/branches/${name}${by}`);
  }

  async renameBranch(from: string, to: string): Promise<void> {
    await this.#call.post(`${this.#path}/branch-renames`, { from, to });
  }

  /** Makes the branch when it is absent. Returns the new commit. */
  async commit(
    ask: {
      readonly branch: string;
      readonly files: Readonly<Record<string, string | null>>;
      readonly message: string;
    } & By,
  ): Promise<string> {
    const { sha } = await this.#call.post<{ sha: string }>(`${this.#path}/commits`, ask);
    return sha;
  }

  // Rules and the queue

  rulesets(): Promise<Ruleset[]> {
    return this.#call.get(`${this.#path}/rulesets`);
  }

  setRuleset(ask: SetRuleset): Promise<Ruleset> {
    return this.#call.put(`${this.#path}/rulesets`, ask);
  }

  deleteRuleset(id: number): Promise<void> {
    return this.#call.delete(`${this.#path}/rulesets/${id}`);
  }

  queue(branch: string): Promise<{
    readonly branch: string;
    readonly settings: QueueSettings;
    readonly entries: QueueEntryView[];
  }> {
    return this.#call.get(`${this.#path}/queues/${branch}`);
  }

  // Pull requests

  pullRequests(): Promise<PullRequestShown[]> {
    return this.#call.get(`${this.#path}/pulls`);
  }

  pullRequest(number: number): Promise<PullRequestShown> {
    return this.#call.get(`${this.#path}/pulls/${number}`);
  }

  openPullRequest(
    ask: Omit<CreatePullRequest, "actor" | "base"> & { readonly base?: string } & By,
  ): Promise<PullRequestShown> {
    return this.#call.post(`${this.#path}/pulls`, ask);
  }

  editPullRequest(
    number: number,
    ask: Omit<EditPullRequest, "actor"> & { readonly draft?: boolean } & By,
  ): Promise<PullRequestShown> {
    return this.#call.patch(`${this.#path}/pulls/${number}`, ask);
  }

  close(number: number, by: By = {}): Promise<PullRequestShown> {
    return this.#act(number, "close", by);
  }

  reopen(number: number, by: By = {}): Promise<PullRequestShown> {
    return this.#act(number, "reopen", by);
  }

  approve(number: number, by: By = {}): Promise<PullRequestShown> {
    return this.#act(number, "approve", by);
  }

  arm(
    number: number,
    ask: Expecting & { readonly mergeMethod?: MergeMethod } = {},
  ): Promise<PullRequestShown> {
    return this.#act(number, "arm", ask);
  }

  disarm(number: number, by: By = {}): Promise<PullRequestShown> {
    return this.#act(number, "disarm", by);
  }

  enqueue(
    number: number,
    ask: Expecting & { readonly jump?: boolean } = {},
  ): Promise<PullRequestShown> {
    return this.#act(number, "enqueue", ask);
  }

  dequeue(number: number, by: By = {}): Promise<PullRequestShown> {
    return this.#act(number, "dequeue", by);
  }

  removeFromQueue(number: number, reason: DequeueReason): Promise<PullRequestShown> {
    return this.#act(number, "remove-from-queue", { reason });
  }

  merge(
    number: number,
    ask: Expecting & { readonly mergeMethod?: MergeMethod } = {},
  ): Promise<PullRequestShown> {
    return this.#act(number, "merge", ask);
  }

  updatePullRequestBranch(number: number, ask: Expecting = {}): Promise<PullRequestShown> {
    return this.#act(number, "update-branch", ask);
  }

  #act(number: number, what: string, ask: object): Promise<PullRequestShown> {
    return this.#call.post(`${this.#path}/pulls/${number}/${what}`, ask);
  }

  // Actions and checks

  workflows(): Promise<Workflow[]> {
    return this.#call.get(`${this.#path}/workflows`);
  }

  setWorkflows(scripts: readonly WorkflowScript[]): Promise<Workflow[]> {
    return this.#call.put(`${this.#path}/workflows`, scripts);
  }

  dispatchWorkflow(
    ask: { readonly workflow: string; readonly ref: string } & By,
  ): Promise<WorkflowRun> {
    return this.#call.post(`${this.#path}/workflow-dispatches`, ask);
  }

  /** Newest first. */
  runs(ask: { readonly headSha?: string } = {}): Promise<WorkflowRun[]> {
    return this.#call.get(`${this.#path}/runs`, ask);
  }

  rerun(
    runId: number,
    jobs: "all" | "failed" | { readonly jobId: number } = "all",
  ): Promise<WorkflowRun> {
    return this.#call.post(`${this.#path}/runs/${runId}/rerun`, { jobs });
  }

  cancelRun(runId: number, actor?: string): Promise<WorkflowRun> {
    const by = actor === undefined ? {} : { actor };
    return this.#call.post(`${this.#path}/runs/${runId}/cancel`, by);
  }

  heldJobs(
    which: { readonly headSha?: string; readonly name?: string } = {},
  ): Promise<HeldJobShown[]> {
    const repository = `${this.owner}/${this.name}`;
    return this.#call.get("/held-jobs", { ...which, repository });
  }

  /** Ends the held jobs of a commit, or all of the repository. Returns those it ended. */
  releaseJobs(
    conclusion: "pass" | "fail" | "cancel",
    which: { readonly headSha?: string; readonly name?: string } = {},
  ): Promise<HeldJobShown[]> {
    const repository = `${this.owner}/${this.name}`;
    return this.#call.post("/held-jobs/release", { ...which, repository, conclusion });
  }

  checks(sha: string): Promise<{
    readonly checkRuns: CheckRun[];
    readonly checkSuites: CheckSuite[];
    readonly statuses: CommitStatus[];
  }> {
    return this.#call.get(`${this.#path}/checks/${sha}`);
  }

  createCheckRun(
    ask: Omit<ReportCheckRun, "appId"> & { readonly appId?: number },
  ): Promise<CheckRun> {
    return this.#call.post(`${this.#path}/check-runs`, ask);
  }

  updateCheckRun(id: number, ask: UpdateCheckRun): Promise<CheckRun> {
    return this.#call.patch(`${this.#path}/check-runs/${id}`, ask);
  }

  createStatus(ask: Omit<ReportStatus, "creator"> & By): Promise<CommitStatus> {
    return this.#call.post(`${this.#path}/statuses`, ask);
  }

  // Webhooks

  hooks(): Promise<RepositoryHook[]> {
    return this.#call.get(`${this.#path}/hooks`);
  }

  createHook(
    ask: Omit<CreateHook, "events"> & { readonly events?: readonly string[] },
  ): Promise<RepositoryHook> {
    return this.#call.post(`${this.#path}/hooks`, ask);
  }
}
