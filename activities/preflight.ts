/** The preflight of a merge: everything that can be known before anything is sent (A1.2, A3). */
import { findFreeze } from "../db/freezes.js";
import { findItem, listPredecessors } from "../db/items.js";
import { listQualifications } from "../db/qualifications.js";
import { githubFault, githubRefusal } from "../src/core/github-fault.js";
import { dependencyGate } from "../src/core/landing/dependency-gate.js";
import { liveRules } from "../src/core/gate/gate-reasons.js";
import { staleReason } from "../src/core/landing/direct.js";
import { lasting } from "../src/core/landing/freeze.js";
import { preflight, unreadableGate, type Route } from "../src/core/landing/preflight.js";
import type { Candidate, Observation } from "../src/core/landing/model.js";
import type { Predecessor, Project } from "../src/core/records.js";
import { refuse, type Refusal } from "../src/core/refusals.js";
import type { LandingTarget } from "../src/github/port.js";
import type { MergeRequest } from "../workflows/names.js";
import type { ActivityDependencies } from "./dependencies.js";
import { GroupEvidence } from "./group-evidence.js";
import { storedProject } from "./pull-requests.js";

export interface PreflightPassed {
  readonly passed: true;
  readonly candidate: Candidate;
  readonly route: Route;
  readonly observation: Observation | null;
  readonly repositoryNodeId: string;
  /** Head of the gate branch, as it was read; null when it was not shown. */
  readonly gateHead: string | null;
  readonly title: string;
  readonly body: string;
}

export type PreflightAnswer =
  PreflightPassed | { readonly passed: false; readonly refusals: readonly Refusal[] };

/** An open pull request, or one that merged this very candidate; any other one is history, and a new one is opened. */
function usable(observation: Observation | null, candidate: Candidate): Observation | null {
  if (observation?.state === "OPEN") return observation;
  return observation?.state === "MERGED" && observation.head === candidate.commit
    ? observation
    : null;
}

export function preflightActivities(dependencies: ActivityDependencies) {
  const { db } = dependencies;
  const evidence = new GroupEvidence(dependencies.github, dependencies.now);

  async function predecessors(item: string): Promise<readonly Predecessor[] | Refusal> {
    try {
      return await listPredecessors(db, { item });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return unreadableGate(item, why);
    }
  }

  /** A direct merge is of the verified tree only when the candidate contains the gate branch (A12.3). */
  async function staleness(
    project: Project,
    item: string,
    candidate: string,
  ): Promise<Refusal | null> {
    const { gateBranch } = project;
    try {
      const compared = await dependencies
        .github(project)
        .compareWithBranch(project, { branch: gateBranch, commit: candidate });
      return staleReason(item, gateBranch, candidate, compared);
    } catch (error) {
      const fault = githubFault(error);
      if (fault === null) throw error;
      return githubRefusal(fault, "arming_refused");
    }
  }

  return {
    /**
     * Reads the dependency gate first, then qualification and GitHub, and answers every reason against arming
     * together. One GitHub query, and one more a minute of a project whose groups were not
     * seen to report yet; sends nothing. A gate that is blocked or unreadable asks GitHub nothing (A3.1).
     */
    async preflightMerge(
      request: MergeRequest,
      pullRequest: number | null,
    ): Promise<PreflightAnswer> {
      const project = await storedProject(db, request.project);
      const item = await findItem(db, { key: request.item });
      if (item === null) {
        return {
          passed: false,
          refusals: [
            refuse("item_unknown", `${request.item} is not an item.`, { item: request.item }),
          ],
        };
      }
      const { lane } = request;
      if (lane === null) {
        return {
          passed: false,
          refusals: [
            refuse("lane_unknown", `${request.item} has no lane on ${request.host}.`, {
              item: request.item,
            }),
          ],
        };
      }
      const before = await predecessors(request.item);
      const gate =
        "code" in before
          ? { clear: false as const, refusal: before }
          : dependencyGate(request.item, before);
      if (!gate.clear) return { passed: false, refusals: [gate.refusal] };

      let target: LandingTarget;
      try {
        target = await dependencies.github(project).landingTarget(project, {
          branch: lane.branch ?? "",
          gateBranch: project.gateBranch,
          pullRequest,
        });
      } catch (error) {
        const fault = githubFault(error);
        if (fault === null) throw error;
        return { passed: false, refusals: [githubRefusal(fault, "arming_refused")] };
      }
      const live = liveRules(target.gate.live);
      const checked = preflight({
        item: request.item,
        lane,
        project,
        qualifications: await listQualifications(db, { item: request.item }),
        target,
        freeze: lasting(await findFreeze(db, { project: project.key }), dependencies.now()),
        groups: live.combined ? await evidence.of(project, live.rules.required_checks) : [],
      });
      if (!checked.passed) return { passed: false, refusals: checked.refusals };
      if (checked.route === "direct") {
        const stale = await staleness(project, request.item, checked.candidate.commit);
        if (stale !== null) return { passed: false, refusals: [stale] };
      }
      return {
        passed: true,
        candidate: checked.candidate,
        route: checked.route,
        observation: usable(target.observation, checked.candidate),
        repositoryNodeId: target.repositoryNodeId,
        gateHead: target.gate.head,
        title: `${item.key}: ${item.title}`,
        body: item.body,
      };
    },
  };
}
