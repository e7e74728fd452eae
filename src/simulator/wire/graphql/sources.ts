/** What resolvers hand to one another: a name of the schema and what of the world it stands for. */
import type {
  Actor,
  Annotation,
  CheckRun,
  CheckSuite,
  CommitStatus,
  PullRequestView,
  Queue,
  QueueEntryView,
  Repository,
  Ruleset,
  TimelineEvent,
  Workflow,
  WorkflowRun,
} from "../../world/model.js";

interface InRepository {
  readonly repository: Repository;
}

export interface RepositorySource extends InRepository {
  readonly __typename: "Repository";
}

export interface PullRequestSource extends InRepository {
  readonly __typename: "PullRequest";
  readonly view: PullRequestView;
}

export interface QueueSource extends InRepository {
  readonly __typename: "MergeQueue";
  readonly queue: Queue;
}

export interface EntrySource extends InRepository {
  readonly __typename: "MergeQueueEntry";
  readonly queue: Queue;
  readonly entry: QueueEntryView;
}

export interface CommitSource extends InRepository {
  readonly __typename: "Commit";
  readonly oid: string;
}

/** `name` is the full ref name. */
export interface RefSource extends InRepository {
  readonly __typename: "Ref";
  readonly name: string;
}

export interface ComparisonSource extends InRepository {
  readonly __typename: "Comparison";
  readonly base: string;
  readonly head: string;
}

export interface RollupSource extends InRepository {
  readonly __typename: "StatusCheckRollup";
  readonly oid: string;
}

export interface CheckRunSource extends InRepository {
  readonly __typename: "CheckRun";
  readonly run: CheckRun;
}

export interface CheckSuiteSource extends InRepository {
  readonly __typename: "CheckSuite";
  readonly suite: CheckSuite;
}

export interface StatusContextSource extends InRepository {
  readonly __typename: "StatusContext";
  readonly status: CommitStatus;
}

export interface AnnotationSource extends InRepository {
  readonly __typename: "CheckAnnotation";
  readonly annotation: Annotation;
}

export interface WorkflowRunSource extends InRepository {
  readonly __typename: "WorkflowRun";
  readonly run: WorkflowRun;
}

export interface WorkflowSource extends InRepository {
  readonly __typename: "Workflow";
  readonly workflow: Workflow;
}

export interface ActorSource {
  readonly __typename: "User" | "Bot" | "Organization";
  readonly actor: Actor;
}

export interface RulesetSource extends InRepository {
  readonly __typename: "RepositoryRuleset";
  readonly ruleset: Ruleset;
}

export type RuleType = "MERGE_QUEUE" | "REQUIRED_STATUS_CHECKS" | "PULL_REQUEST";

export interface RuleSource extends InRepository {
  readonly __typename: "RepositoryRule";
  readonly ruleset: Ruleset;
  readonly type: RuleType;
}

export interface EventSource extends InRepository {
  readonly __typename: TimelineEvent["type"];
  readonly event: TimelineEvent;
  readonly view: PullRequestView;
}

export function actorSource(actor: Actor): ActorSource {
  return { __typename: actor.type, actor };
}

export function commitSource(repository: Repository, oid: string): CommitSource;
export function commitSource(repository: Repository, oid: string | null): CommitSource | null;
export function commitSource(repository: Repository, oid: string | null): CommitSource | null {
  return oid === null ? null : { __typename: "Commit", repository, oid };
}

export function pullRequestSource(
  repository: Repository,
  view: PullRequestView | null,
): PullRequestSource | null {
  return view === null ? null : { __typename: "PullRequest", repository, view };
}

export function refSource(repository: Repository, branch: string): RefSource {
  return { __typename: "Ref", repository, name: `refs/heads/${branch}` };
}
