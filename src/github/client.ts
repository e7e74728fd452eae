/** The real GitHub behind the port: one transport, and one module for each kind of call. */
import type { Secret } from "../config/secret.js";
import { readBranchUse } from "./branch-use.js";
import { readGateBranch } from "./gate.js";
import { readGroupReports } from "./group-reports.js";
import { readHeadChecks, rerunWorkflow } from "./head-checks.js";
import type { RateLimits } from "./limits.js";
import { observe } from "./observe.js";
import type { GitHub } from "./port.js";
import { readQueueAhead } from "./queue-ahead.js";
import { compareWithBranch, readStopEvidence } from "./stop-evidence.js";
import { findRuleset, writeRuleset } from "./rulesets.js";
import { readLandingTarget, readRepository } from "./target.js";
import { createTransport, type TransportOptions } from "./transport.js";
import {
  dequeue,
  disableAutoMerge,
  enableAutoMerge,
  enqueue,
  mergePullRequest,
  openPullRequest,
} from "./writes.js";

export type { Credential, SecretSource } from "./credential.js";

export interface GitHubClient extends GitHub {
  /** Rate-limit figures of the last answer that carried some; null before the first. For metrics. */
  limits(): RateLimits | null;
  /** The token a request would be sent with now, for git over HTTPS. Raises `GitHubError`. */
  token(): Promise<Secret>;
}

/**
 * A client for one API and one credential. Keep it: its installation token and the order of its reading times
 * (`answer-clock.ts`) live in it. Nothing is sent before the first call.
 */
export function createGitHub(options: TransportOptions): GitHubClient {
  const transport = createTransport(options);
  return {
    repository: (repository, gateBranch) => readRepository(transport, repository, gateBranch),
    landingTarget: (repository, ask) => readLandingTarget(transport, repository, ask),
    gateBranch: (repository, branch) => readGateBranch(transport, repository, branch),
    groupReports: (repository, branch) => readGroupReports(transport, repository, branch),
    findRuleset: (repository, ask) => findRuleset(transport, repository, ask),
    writeRuleset: (ask) => writeRuleset(transport, ask),
    observe: (nodeIds) => observe(transport, nodeIds),
    stopEvidence: (repository, ask) => readStopEvidence(transport, repository, ask),
    queueAhead: (repository, ask) => readQueueAhead(transport, repository, ask),
    headChecks: (repository, ask) => readHeadChecks(transport, repository, ask),
    rerunWorkflow: (repository, ask) => rerunWorkflow(transport, repository, ask),
    openPullRequest: (ask) => openPullRequest(transport, ask),
    enableAutoMerge: (ask) => enableAutoMerge(transport, ask),
    disableAutoMerge: (ask) => disableAutoMerge(transport, ask),
    enqueue: (ask) => enqueue(transport, ask),
    dequeue: (ask) => dequeue(transport, ask),
    mergePullRequest: (ask) => mergePullRequest(transport, ask),
    branchUse: (repository, { branch }) => readBranchUse(transport, repository, branch),
    compareWithBranch: (repository, ask) => compareWithBranch(transport, repository, ask),
    limits: () => transport.limits.last(),
    token: () => transport.token(),
  };
}
