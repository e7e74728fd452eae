/** From a node id to the thing. */
import type { Engine } from "./engine.js";
import type {
  CheckRun,
  CheckSuite,
  CommitStatus,
  PullRequest,
  Queue,
  QueueEntry,
  Repository,
  Ruleset,
  WorkflowRun,
} from "./model.js";
import { parseNodeId } from "./node-ids.js";

export type WorldNode = { readonly repository: Repository } & (
  | { readonly kind: "Repository" }
  | { readonly kind: "RepositoryRuleset"; readonly value: Ruleset }
  | { readonly kind: "PullRequest"; readonly value: PullRequest }
  | { readonly kind: "MergeQueue"; readonly value: Queue }
  | { readonly kind: "MergeQueueEntry"; readonly value: QueueEntry; readonly queue: Queue }
  | { readonly kind: "CheckSuite"; readonly value: CheckSuite }
  | { readonly kind: "CheckRun"; readonly value: CheckRun }
  | { readonly kind: "StatusContext"; readonly value: CommitStatus }
  | { readonly kind: "WorkflowRun"; readonly value: WorkflowRun }
  /** `nodeId("C", repositoryId, oid)`; git knows whether it exists. */
  | { readonly kind: "Commit"; readonly value: { readonly oid: string } }
);

export function findNode(engine: Engine, id: string): WorldNode | null {
  const parsed = parseNodeId(id);
  if (parsed === null) return null;
  const [repositoryId, key] = parsed.parts;
  const state = engine.state.repositories.find((one) => one.repository.id === repositoryId);
  if (state === undefined || state.repository.deleted) return null;
  const { repository } = state;
  const found = <K extends string, V>(kind: K, value: V | undefined) =>
    value === undefined ? null : { kind, repository, value };
  switch (parsed.kind) {
    case "R":
      return { kind: "Repository", repository };
    case "RRS":
      // A rule's id has its type besides.
      return found(
        "RepositoryRuleset",
        repository.rulesets.find((one) => one.id === key && parsed.parts.length === 2),
      );
    case "PR":
      return found(
        "PullRequest",
        state.pullRequests.find((one) => one.number === key),
      );
    case "MQ":
      return found(
        "MergeQueue",
        state.queues.find((one) => one.branch === key),
      );
    case "MQE": {
      const queue = state.queues.find((one) => one.entries.some((entry) => entry.id === key));
      const value = queue?.entries.find((entry) => entry.id === key);
      if (queue === undefined || value === undefined) return null;
      return { kind: "MergeQueueEntry", repository, value, queue };
    }
    case "CS":
      return found(
        "CheckSuite",
        state.checkSuites.find((one) => one.id === key),
      );
    case "CR":
      return found(
        "CheckRun",
        state.checkRuns.find((one) => one.id === key),
      );
    case "SC":
      return found(
        "StatusContext",
        state.statuses.find((one) => one.id === key),
      );
    case "WFR":
      return found(
        "WorkflowRun",
        state.workflowRuns.find((one) => one.id === key),
      );
    case "C":
      return found("Commit", typeof key === "string" ? { oid: key } : undefined);
    default:
      return null;
  }
}
