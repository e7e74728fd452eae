/** The preflight of a merge: the exact verified candidate, or every reason why it is not (A1.2, A2.5, A3.2). */
import { gateReasons, liveRules, type GateReading } from "../gate/gate-reasons.js";
import { parseDeclaration } from "../gate/declaration.js";
import { neverReported, type GroupReport } from "../gate/reporting.js";
import { checkName, type DeclarationRead } from "../gate/rules.js";
import type { Predecessor, Project, Qualification } from "../records.js";
import { refuse, type Refusal } from "../refusals.js";
import { chooseArming } from "./arming.js";
import { frozenRefusal, type Freeze } from "./freeze.js";
import { dependencyGate } from "./dependency-gate.js";
import type { Candidate, Observation } from "./model.js";
import { qualifying } from "./qualifying.js";

/** The lane as git on its host read it. */
export interface PreflightLane {
  readonly path: string;
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  readonly head: string;
  readonly tree: string;
  /** Paths that are staged, changed or untracked; empty on a clean lane. */
  readonly dirty: readonly string[];
  /** `.yoke/merge-queue.json` at `head`; absent from a command that is too old to read it. */
  readonly declaration?: DeclarationRead | undefined;
}

/** GitHub as it was read for this candidate. */
export interface PreflightTarget {
  /** Oid of the lane's branch on GitHub; null when it is not pushed. */
  readonly branchHead: string | null;
  readonly observation: Observation | null;
  readonly queueEnabled: boolean;
  /** Why GitHub did not say whether there is a queue (A12.2). */
  readonly queueUnreadable?: string;
  readonly queueMergeMethod: "MERGE" | "SQUASH" | "REBASE" | null;
  /** Whether the repository allows auto-merge; absent when it was not read. */
  readonly autoMergeAllowed?: boolean;
  readonly gate: GateReading;
}

/** The declared predecessors, or why they could not be read. */
export type PredecessorsRead =
  | { readonly read: "list"; readonly predecessors: readonly Predecessor[] }
  | { readonly read: "unreadable"; readonly why: string };

export interface PreflightInput {
  readonly item: string;
  readonly lane: PreflightLane;
  /** The branch registered for the lane, when it is known: the lane must be on it. */
  readonly registeredBranch?: string;
  readonly project: Pick<Project, "key" | "gateBranch" | "requirementDigest" | "closeOut">;
  readonly qualifications: readonly Qualification[];
  /** Absent when the dependency gate was asked before (A3.1). */
  readonly predecessors?: PredecessorsRead;
  readonly target: PreflightTarget;
  /** The freeze that lasts now (A16.3). */
  readonly freeze?: Freeze | null;
  /** What was reported on groups of the gate branch; empty when nothing needs to be known (A2.6). */
  readonly groups?: readonly GroupReport[];
}

/** Through the branch's queue; or directly, where the gate branch declares that it has none (A12.3). */
export type Route = "queue" | "direct";

export type Preflight =
  | { readonly passed: true; readonly candidate: Candidate; readonly route: Route }
  | { readonly passed: false; readonly refusals: readonly Refusal[] };

/** Every reason at once, in the order a person meets them: freeze, lane, branch on GitHub, verification, order, rules, queue. */
export function preflight(input: PreflightInput): Preflight {
  const { item, lane, project, qualifications } = input;
  const found = qualifying(
    item,
    { commit: lane.head, tree: lane.tree },
    qualifications,
    project.requirementDigest,
  );
  const refusals = [
    ...(input.freeze == null ? [] : [frozenRefusal(project.key, input.freeze)]),
    ...laneReasons(input),
    ...pushReasons(input),
    ...("code" in found ? [found] : []),
    ...dependencyReasons(input),
    ...declarationReasons(input),
    ...queueReasons(input),
  ];
  if (refusals.length > 0 || "code" in found || lane.branch === null) {
    return { passed: false, refusals };
  }
  const { head: commit, tree, branch } = lane;
  const candidate = { commit, tree, branch, qualification: found.id };
  return { passed: true, candidate, route: routeOf(input.target) };
}

function laneReasons({
  item,
  lane,
  registeredBranch,
  project: { gateBranch },
}: PreflightInput): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const branch = registeredBranch ?? lane.branch ?? "";
  const seen = { item, path: lane.path, ...(branch === "" ? {} : { branch }) };
  if (lane.dirty.length > 0) {
    const files = lane.dirty.join(", ");
    refusals.push(refuse("lane_dirty", `${lane.path} is not clean: ${files}.`, { ...seen, files }));
  }
  if (lane.branch === null) {
    refusals.push(
      refuse("lane_detached", `HEAD of ${lane.path} is detached at ${lane.head}.`, seen),
    );
  } else if (lane.branch === gateBranch) {
    refusals.push(
      refuse("lane_is_gate_branch", `${lane.path} is on the gate branch \`${gateBranch}\`.`, {
        ...seen,
        gateBranch,
        suggested: item.toLowerCase(),
      }),
    );
  } else if (registeredBranch !== undefined && lane.branch !== registeredBranch) {
    refusals.push(
      refuse(
        "lane_detached",
        `${lane.path} is on branch \`${lane.branch}\`; the lane's branch is \`${registeredBranch}\`.`,
        seen,
      ),
    );
  }
  return refusals;
}

function pushReasons({ item, lane, project, target }: PreflightInput): readonly Refusal[] {
  // Nobody is told to push to the gate branch.
  if (lane.branch === null || lane.branch === project.gateBranch) return [];
  const refusals: Refusal[] = [];
  const seen = { item, branch: lane.branch, head: lane.head };
  if (target.branchHead !== lane.head) {
    refusals.push(
      refuse(
        "lane_head_unpushed",
        target.branchHead === null
          ? `The lane's head is ${lane.head}; GitHub has no branch \`${lane.branch}\`.`
          : `The lane's head is ${lane.head}; on GitHub \`${lane.branch}\` is at ${target.branchHead}.`,
        { ...seen, ...(target.branchHead === null ? {} : { branchHead: target.branchHead }) },
      ),
    );
  }
  const open = target.observation?.state === "OPEN" ? target.observation : null;
  if (open === null) return refusals;
  const pullRequest = String(open.pullRequest);
  if (open.head !== lane.head) {
    refusals.push(
      refuse(
        "pull_request_head_moved",
        `Pull request ${pullRequest} has head ${open.head}; the lane's head is ${lane.head}.`,
        { ...seen, pullRequest, pullRequestHead: open.head },
      ),
    );
  }
  if (open.baseBranch !== project.gateBranch) {
    refusals.push(
      refuse(
        "pull_request_base_differs",
        `Pull request ${pullRequest} merges into \`${open.baseBranch}\`; the gate branch is \`${project.gateBranch}\`.`,
        { ...seen, pullRequest, gateBranch: project.gateBranch },
      ),
    );
  }
  return refusals;
}

function dependencyReasons({ item, predecessors }: PreflightInput): readonly Refusal[] {
  if (predecessors === undefined) return [];
  if (predecessors.read === "unreadable") return [unreadableGate(item, predecessors.why)];
  const gate = dependencyGate(item, predecessors.predecessors);
  return gate.clear ? [] : [gate.refusal];
}

/** A gate that cannot be read never lands anything (A3.2). */
export function unreadableGate(item: string, why: string): Refusal {
  return refuse(
    "integration_dependency_gate_unavailable",
    `The predecessors of ${item} could not be read: ${why}. Nothing was armed.`,
    { item },
  );
}

function declarationReasons({ item, lane, project, target }: PreflightInput): readonly Refusal[] {
  const { key, gateBranch } = project;
  const { declaration } = lane;
  return gateReasons({ project: key, item, gateBranch, lane: declaration, gate: target.gate });
}

function queueReasons({
  item,
  lane,
  project,
  target,
  groups = [],
}: PreflightInput): readonly Refusal[] {
  const { gateBranch } = project;
  const seen = { item, gateBranch };
  if (target.queueUnreadable !== undefined) {
    return [
      refuse(
        "merge_queue_probe_failed",
        `GitHub did not say whether \`${gateBranch}\` has a merge queue: ${target.queueUnreadable}.`,
        seen,
      ),
    ];
  }
  if (routeOf(target) === "direct") return [];
  if (!target.queueEnabled) {
    return [refuse("merge_queue_missing", `\`${gateBranch}\` has no merge queue on GitHub.`, seen)];
  }
  const refusals: Refusal[] = [];
  const method = target.queueMergeMethod;
  if (project.closeOut === "ancestry" && (method === "SQUASH" || method === "REBASE")) {
    refusals.push(
      refuse(
        "merge_method_cannot_be_proved",
        `The queue of \`${gateBranch}\` merges by ${method.toLowerCase()}; ${lane.head} would never be in its history, so the landing could not be proved.`,
        { ...seen, method },
      ),
    );
  }
  refusals.push(...reportingReasons(seen, target, groups));
  if (target.autoMergeAllowed === false && needsAutoMerge(lane, target)) {
    refusals.push(
      refuse(
        "auto_merge_not_allowed",
        "The pull request must wait for checks, and the repository does not allow auto-merge.",
        seen,
      ),
    );
  }
  return refusals;
}

/** Directly only when the gate branch itself says so, and GitHub, asked, shows neither a queue nor a rule for one. */
export function routeOf({ gate, queueEnabled, queueUnreadable }: PreflightTarget): Route {
  const { declaration } = gate;
  if (queueEnabled || queueUnreadable !== undefined || declaration.read !== "text") return "queue";
  const declared = parseDeclaration(declaration.text);
  const live = liveRules(gate.live);
  const none = declared.valid && declared.rules.queue === null;
  return none && live.combined && live.rules.queue === null ? "direct" : "queue";
}

function reportingReasons(
  seen: Readonly<Record<string, string>>,
  { gate }: PreflightTarget,
  groups: readonly GroupReport[],
): readonly Refusal[] {
  const live = liveRules(gate.live);
  const silent = live.combined ? neverReported(live.rules, groups).map(checkName) : [];
  if (silent.length === 0) return [];
  const checks = silent.join(", ");
  return [
    refuse(
      "required_check_never_reported",
      `No group of \`${seen["gateBranch"] ?? ""}\` ever had a report of ${checks}, and a group waited for it until the queue's timeout.`,
      { ...seen, checks },
    ),
  ];
}

/** A pull request that has yet to be opened always waits; an open one when its state says so. */
function needsAutoMerge(lane: PreflightLane, { observation }: PreflightTarget): boolean {
  if (observation === null || observation.state !== "OPEN") return true;
  const candidate = { commit: observation.head, tree: lane.tree, branch: observation.headBranch };
  return chooseArming(observation, { ...candidate, qualification: "" }).do === "enable_auto_merge";
}
