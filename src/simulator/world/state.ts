/** Everything `world.json` holds. Plain data: it survives JSON. */
import type {
  App,
  CheckRun,
  CheckSuite,
  CommitStatus,
  Delivery,
  Installation,
  PullRequest,
  Queue,
  Repository,
  RepositoryHook,
  Token,
  User,
  WebhookFault,
  Workflow,
  WorkflowRun,
} from "./model.js";

/** When the UNKNOWN window of a pull request began and what is left of it. */
export interface MergeabilityWindow {
  /** `<base oid>:<head oid>` it belongs to. */
  readonly key: string;
  readonly since: number;
  readsLeft: number;
}

export interface RepositoryState {
  readonly repository: Repository;
  readonly pullRequests: PullRequest[];
  readonly queues: Queue[];
  readonly checkSuites: CheckSuite[];
  readonly checkRuns: CheckRun[];
  readonly statuses: CommitStatus[];
  workflows: Workflow[];
  readonly workflowRuns: WorkflowRun[];
  readonly windows: Record<number, MergeabilityWindow>;
  /** Pull requests to look at because something of theirs changed; auto-merge fires only then (A06). */
  stirred: number[];
  /** The next merge by the queue writes a wrong tree (A34). */
  wrongTree: boolean;
}

export interface State {
  version: 1;
  nextId: number;
  users: User[];
  apps: App[];
  installations: Installation[];
  tokens: Token[];
  hooks: RepositoryHook[];
  deliveries: Delivery[];
  webhookFaults: WebhookFault[];
  repositories: RepositoryState[];
}

export function emptyState(): State {
  return {
    version: 1,
    nextId: 1000,
    users: [],
    apps: [],
    installations: [],
    tokens: [],
    hooks: [],
    deliveries: [],
    webhookFaults: [],
    repositories: [],
  };
}
