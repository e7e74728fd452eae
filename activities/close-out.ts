/** Close-out (A11.2 – A11.4): git proves the landing on the lane's host, Postgres keeps the proof. */
import { closeOutLanding } from "../db/closeout.js";
import { markLaneRemoved, listLanes } from "../db/lanes.js";
import { githubFault } from "../src/core/github-fault.js";
import { withGroupRun } from "../src/core/landing/group-run.js";
import type { LandingState } from "../src/core/landing/model.js";
import type { Receipt } from "../src/core/records.js";
import type { CarryingProof, LaneRemoval, Proved } from "../src/git/port.js";
import type { ActivityDependencies } from "./dependencies.js";
import { storedProject } from "./pull-requests.js";

/** Runs on the task queue of the host that has the lane. */
export function laneHostActivities({ db, git, gitCredential }: ActivityDependencies) {
  return {
    /**
     * Fetches the gate branch, proves that it carries the candidate, and compares what landed with the clean merge
     * (A16.1). Reads only; safe to repeat.
     */
    async proveCarried(ask: {
      readonly project: string;
      readonly repository: string;
      readonly remote: string | null;
      readonly candidate: string;
      /** What GitHub says merged it; null for a commit that nothing says of. */
      readonly mergeCommit: string | null;
    }): Promise<Proved> {
      const project = await storedProject(db, ask.project);
      return git.proveCarried({
        repository: ask.repository,
        remote: ask.remote,
        gateBranch: project.gateBranch,
        candidate: ask.candidate,
        landed:
          ask.mergeCommit === null
            ? undefined
            : { commit: ask.mergeCommit, byContent: project.closeOut === "content" },
        credential: ask.remote === null ? null : await gitCredential(project),
      });
    },

    /** Removes the lane's worktree and branch where nothing would be lost (A11.4). A second call finds it gone. */
    async removeLane(ask: {
      readonly repository: string;
      readonly worktree: string;
      readonly branch: string;
      readonly candidate: string;
      readonly carriedBy: string;
    }): Promise<LaneRemoval> {
      return git.removeLane(ask);
    },
  };
}

export function closeOutActivities({ db, github, now }: ActivityDependencies) {
  /** Whether a group was run on what landed (A16.1); a full page of upkeep did not ask, so GitHub is asked here. */
  async function groupRun({ project, pullRequest, landed }: LandingState): Promise<boolean | null> {
    if (landed?.verifiedByGroup !== undefined) return landed.verifiedByGroup;
    if (pullRequest === null) return null;
    try {
      const client = github(await storedProject(db, project));
      const { observations } = await client.observe([pullRequest.nodeId]);
      return observations[0]?.merge?.groupRun ?? null;
    } catch (error) {
      // It is a mark: without it the landing is closed out all the same.
      if (githubFault(error) === null) throw error;
      return null;
    }
  }

  return {
    /**
     * Enriches the landing's receipt with the proof and marks the item landed, in one transaction. Key: item,
     * pull request and merge commit; a repeat changes nothing and answers the stored receipt.
     */
    async recordCloseOut(ask: {
      readonly state: LandingState;
      readonly version: number;
      readonly why: string;
      readonly proof: CarryingProof;
      readonly result: string | null;
      readonly verification: string | null;
    }): Promise<Receipt> {
      const state = withGroupRun(ask.state, await groupRun(ask.state));
      return closeOutLanding(db, { ...ask, state, at: now() });
    },

    /** Marks the lane of this branch as removed. */
    async recordLaneRemoved(ask: {
      readonly item: string;
      readonly branch: string;
    }): Promise<void> {
      for (const lane of await listLanes(db, { item: ask.item, state: "active" })) {
        if (lane.branch === ask.branch) await markLaneRemoved(db, { lane: lane.id, at: now() });
      }
    },
  };
}
