/** A GitHub of one pull request at a time, held in memory, whose next calls can be made to fail before or after their effect. */
import type { BranchUse } from "../../src/core/landing/remote-branch.js";
import type { GateReading } from "../../src/core/gate/gate-reasons.js";
import type { GroupReport } from "../../src/core/gate/reporting.js";
import type { GateRules } from "../../src/core/gate/rules.js";
import type { Comparison } from "../../src/core/landing/direct.js";
import type { Observation, QueueConflict, StopEvidence } from "../../src/core/landing/model.js";
import type { CheckEvidence } from "../../src/core/recovery/evidence.js";
import {
  GitHubError,
  type GateBranch,
  type GitHub,
  type GitHubFault,
  type LandingTarget,
  type ObservationBatch,
  type RepositoryFacts,
} from "../../src/github/port.js";

export type Call =
  | "repository"
  | "landingTarget"
  | "gateBranch"
  | "groupReports"
  | "findRuleset"
  | "writeRuleset"
  | "observe"
  | "stopEvidence"
  | "queueAhead"
  | "headChecks"
  | "rerunWorkflow"
  | "openPullRequest"
  | "enableAutoMerge"
  | "disableAutoMerge"
  | "enqueue"
  | "dequeue"
  | "mergePullRequest"
  | "branchUse"
  | "compareWithBranch";

interface Trouble {
  readonly call: Call;
  /** `before`: nothing happened; `after`: it happened and the reply was lost. */
  readonly when: "before" | "after";
  readonly fault: GitHubFault;
}

export const lost: GitHubFault = { kind: "uncertain", message: "the connection was cut" };
export const down: GitHubFault = { kind: "unavailable", message: "502" };

export class ScriptedGitHub implements GitHub {
  readonly calls: Call[] = [];
  pullRequest: Observation | null = null;
  /** Head of the lane's branch as pushed; null: not pushed. */
  branchHead: string | null = null;
  evidence: Omit<StopEvidence, "readAt"> = {
    baseContainsCandidate: "no",
    failedChecks: [],
    removal: null,
  };
  /** The entries ahead; null: the branch has no queue. */
  queue: QueueConflict | null = null;
  /** Reports, runs and jobs of the head, which is that of the pull request. */
  checks: Omit<CheckEvidence, "head"> = { reports: [], runs: [], jobs: [] };
  /** A gate branch that declares nothing. */
  gate: GateReading = {
    head: "0".repeat(40),
    declaration: { read: "absent" },
    live: { read: "rules", rulesets: [] },
  };
  groups: readonly GroupReport[] = [];
  /** The branch has a queue. */
  hasQueue = true;
  comparison: Comparison = "AHEAD";
  /** Node id of the ruleset that yoke wrote. */
  ownRuleset: string | null = null;
  private troubles: Trouble[] = [];
  private clock = Date.parse("2026-01-01T00:00:00Z");

  constructor(private readonly repositoryName: string) {}

  /** The next `call` fails so. */
  fail(call: Call, when: "before" | "after", fault: GitHubFault): void {
    this.troubles.push({ call, when, fault });
  }

  /** Faults that no call met: a test that leaves one proves nothing. */
  get unused(): readonly Trouble[] {
    return this.troubles;
  }

  count(call: Call): number {
    return this.calls.filter((one) => one === call).length;
  }

  change(facts: Partial<Observation>): void {
    if (this.pullRequest === null) throw new Error("no pull request is open");
    this.pullRequest = { ...this.pullRequest, ...facts, updatedAt: this.tick() };
  }

  merged(commit: string): void {
    this.change({
      state: "MERGED",
      autoMerge: null,
      queue: { read: "none" },
      merge: { commit, mergedAt: this.tick() },
    });
  }

  private tick(): string {
    this.clock += 1000;
    return new Date(this.clock).toISOString();
  }

  private read(): Observation | null {
    return this.pullRequest === null ? null : { ...this.pullRequest, readAt: this.tick() };
  }

  private async on<T>(call: Call, effect: () => T): Promise<T> {
    this.calls.push(call);
    const at = this.troubles.findIndex((trouble) => trouble.call === call);
    const [trouble] = at < 0 ? [] : this.troubles.splice(at, 1);
    if (trouble?.when === "before") throw new GitHubError(trouble.fault);
    const answer = effect();
    if (trouble !== undefined) throw new GitHubError(trouble.fault);
    return answer;
  }

  repository(): Promise<RepositoryFacts> {
    return this.on("repository", () => ({
      id: 1,
      nodeId: "R_1",
      defaultBranch: "main",
      autoMergeAllowed: true,
      gateBranchHead: "0".repeat(40),
      queue: { url: "https://github.test/queue", mergeMethod: "MERGE" as const },
      viewer: "robin",
    }));
  }

  landingTarget(): Promise<LandingTarget> {
    return this.on("landingTarget", () => ({
      branchHead: this.branchHead,
      observation: this.read(),
      repositoryNodeId: "R_1",
      queueEnabled: this.hasQueue,
      queueMergeMethod: this.hasQueue ? ("MERGE" as const) : null,
      autoMergeAllowed: true,
      gate: this.gate,
    }));
  }

  gateBranch(): Promise<GateBranch> {
    return this.on("gateBranch", () => ({
      ...this.gate,
      repositoryNodeId: "R_1",
      queueEnabled: true,
      autoMergeAllowed: true,
    }));
  }

  groupReports(): Promise<readonly GroupReport[]> {
    return this.on("groupReports", () => this.groups);
  }

  findRuleset(): Promise<string | null> {
    return this.on("findRuleset", () => this.ownRuleset);
  }

  /** Does what the request says, as GitHub would. */
  writeRuleset(ask: {
    readonly name: string;
    readonly nodeId: string | null;
    readonly rules: GateRules;
  }): Promise<void> {
    return this.on("writeRuleset", () => {
      const nodeId = ask.nodeId ?? "RRS_own";
      this.ownRuleset = nodeId;
      const own = { ...ask.rules, ruleset: { nodeId, name: ask.name, source: "acme/shop" } };
      const before = this.gate.live.read === "rules" ? this.gate.live.rulesets : [];
      const others = before.filter(({ ruleset }) => ruleset.nodeId !== nodeId);
      this.gate = { ...this.gate, live: { read: "rules", rulesets: [...others, own] } };
    });
  }

  observe(nodeIds: readonly string[]): Promise<ObservationBatch> {
    return this.on("observe", () => {
      const seen = this.read();
      const observations = seen !== null && nodeIds.includes(seen.nodeId) ? [seen] : [];
      return { observations, unreadable: [], requests: 1 };
    });
  }

  stopEvidence(): Promise<StopEvidence> {
    return this.on("stopEvidence", () => ({ ...this.evidence, readAt: this.tick() }));
  }

  queueAhead(): Promise<QueueConflict | null> {
    return this.on("queueAhead", () => this.queue);
  }

  headChecks(): Promise<CheckEvidence> {
    return this.on("headChecks", () => ({ head: this.pullRequest?.head ?? "", ...this.checks }));
  }

  /** The run begins another attempt. */
  rerunWorkflow(_repository: unknown, { run }: { readonly run: number }): Promise<void> {
    return this.on("rerunWorkflow", () => {
      const { reports, runs, jobs } = this.checks;
      this.checks = {
        jobs,
        reports: reports.map((one) => (one.run === run ? { ...one, state: "queued" } : one)),
        runs: runs.map((one) =>
          one.id === run ? { ...one, attempt: one.attempt + 1, state: "queued" } : one,
        ),
      };
    });
  }

  openPullRequest(ask: {
    readonly headBranch: string;
    readonly baseBranch: string;
  }): Promise<Observation> {
    return this.on("openPullRequest", () => {
      const at = this.tick();
      this.pullRequest ??= {
        pullRequest: 7,
        nodeId: `PR_${this.repositoryName}`,
        url: "https://github.test/7",
        readAt: at,
        updatedAt: at,
        state: "OPEN",
        isDraft: false,
        head: this.branchHead ?? "",
        headBranch: ask.headBranch,
        headBranchExists: true,
        baseBranch: ask.baseBranch,
        baseBranchExists: true,
        mergeable: "MERGEABLE",
        mergeState: "BLOCKED",
        autoMerge: null,
        queue: { read: "none" },
        queueEnabled: this.hasQueue,
        merge: null,
        closedAt: null,
      };
      return this.pullRequest;
    });
  }

  /** Accepted, and not shown: what it did is read back. */
  enableAutoMerge(): Promise<null> {
    return this.on("enableAutoMerge", () => {
      this.change({ autoMerge: { enabledAt: this.tick() } });
      return null;
    });
  }

  disableAutoMerge(): Promise<void> {
    return this.on("disableAutoMerge", () => this.change({ autoMerge: null }));
  }

  enqueue(): Promise<null> {
    return this.on("enqueue", () => {
      this.change({
        queue: {
          read: "entry",
          entry: {
            state: "QUEUED",
            position: 1,
            enqueuedAt: this.tick(),
            estimatedTimeToMerge: null,
            groupCommit: null,
          },
        },
      });
      return null;
    });
  }

  dequeue(): Promise<void> {
    return this.on("dequeue", () => this.change({ queue: { read: "none" } }));
  }

  mergePullRequest(): Promise<void> {
    return this.on("mergePullRequest", () => this.merged("c".repeat(40)));
  }

  branchUse(): Promise<BranchUse> {
    return this.on("branchUse", () => ({ head: this.branchHead, baseOf: [], headOf: [] }));
  }

  compareWithBranch(): Promise<Comparison> {
    return this.on("compareWithBranch", () => this.comparison);
  }
}
