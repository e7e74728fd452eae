/** Shapes in which the wire and the admin API ask the world for something. Omitted means default. */
import type { Clock } from "../clock.js";
import type {
  Actor,
  Annotation,
  App,
  CheckConclusion,
  Delivery,
  MergeMethod,
  QueueSettings,
  RepositoryOptions,
  RequiredCheck,
  Ruleset,
  RunStatus,
  WebhookFault,
} from "./model.js";

export interface WorldOptions {
  /** Folder of the bare repositories and of `world.json`; made when absent. */
  readonly dataDir: string;
  readonly clock: Clock;
  /** Sends one webhook; a rejected promise is a failed delivery. */
  readonly deliver: (
    delivery: Delivery,
    headers: Record<string, string>,
  ) => Promise<{ readonly status: number }>;
}

export interface CreateRepository {
  readonly owner: string;
  readonly name: string;
  readonly ownerType?: "Organization" | "User";
  readonly defaultBranch?: string;
  readonly private?: boolean;
  readonly anonymousPush?: boolean;
  readonly autoMergeAllowed?: boolean;
  readonly mergeCommitAllowed?: boolean;
  readonly squashMergeAllowed?: boolean;
  readonly rebaseMergeAllowed?: boolean;
  readonly deleteBranchOnMerge?: boolean;
  /** First commit on the default branch, path to content; without it the repository is empty. */
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Partial<RepositoryOptions>;
}

export type UpdateRepository = Partial<
  Pick<
    CreateRepository,
    | "private"
    | "anonymousPush"
    | "defaultBranch"
    | "autoMergeAllowed"
    | "mergeCommitAllowed"
    | "squashMergeAllowed"
    | "rebaseMergeAllowed"
    | "deleteBranchOnMerge"
    | "options"
  >
>;

export interface CommitFiles {
  readonly branch: string;
  /** Path to content; null deletes the file. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly message: string;
  readonly actor?: Actor;
}

export interface SetRuleset {
  /** Replaces this ruleset; without it, the one of the same name, else a new one. */
  readonly id?: number;
  readonly name: string;
  readonly enforcement?: Ruleset["enforcement"];
  /** Full ref names, or `~DEFAULT_BRANCH`, `~ALL`; by default the default branch. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly mergeQueue?: Partial<QueueSettings> | null;
  readonly requiredStatusChecks?: {
    readonly checks: readonly RequiredCheck[];
    readonly strict?: boolean;
  } | null;
  readonly requiredApprovals?: number;
}

export interface CreatePullRequest {
  readonly title: string;
  readonly body?: string;
  readonly head: string;
  /** `owner/name` of a fork; by default the repository itself. */
  readonly headRepository?: string;
  readonly base: string;
  readonly draft?: boolean;
  readonly maintainerCanModify?: boolean;
  readonly actor: Actor;
}

export interface EditPullRequest {
  readonly title?: string;
  readonly body?: string;
  readonly base?: string;
  readonly actor: Actor;
}

export interface EnableAutoMerge {
  readonly expectedHeadOid?: string;
  readonly mergeMethod?: MergeMethod;
  readonly actor: Actor;
}

export interface EnqueuePullRequest {
  readonly expectedHeadOid?: string;
  readonly jump?: boolean;
  readonly actor: Actor;
}

export interface MergePullRequest {
  readonly expectedHeadOid?: string;
  readonly mergeMethod?: MergeMethod;
  readonly actor: Actor;
}

export interface ReportCheckRun {
  readonly name: string;
  readonly headSha: string;
  readonly appId: number;
  readonly status?: RunStatus;
  readonly conclusion?: CheckConclusion | null;
  readonly detailsUrl?: string;
  readonly output?: { readonly title?: string; readonly summary?: string; readonly text?: string };
  readonly annotations?: readonly Annotation[];
}

export type UpdateCheckRun = Partial<Omit<ReportCheckRun, "headSha" | "appId">>;

export interface ReportStatus {
  readonly sha: string;
  readonly context?: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly description?: string | null;
  readonly targetUrl?: string | null;
  readonly creator: Actor;
  readonly appId?: number | null;
}

export interface CreateApp {
  readonly name: string;
  readonly slug?: string;
  readonly events?: readonly string[];
  readonly permissions?: App["permissions"];
  readonly webhook?: { readonly url: string; readonly secret: string; readonly active?: boolean };
}

export interface CreateHook {
  readonly url: string;
  readonly secret: string;
  /** Event names, or `*`. */
  readonly events: readonly string[];
  readonly active?: boolean;
}

export interface AddWebhookFault {
  readonly kind: WebhookFault["kind"];
  readonly filter?: string | null;
  readonly times?: number;
  readonly delayMs?: number;
}
