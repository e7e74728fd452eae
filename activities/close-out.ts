/** Close-out (A11.2 – A11.4): git proves the landing on the lane's host, Postgres keeps the proof. */
import { closeOutLanding } from "../db/closeout.js";
import { markLaneRemoved, listLanes } from "../db/lanes.js";
import type { LandingState } from "../src/core/landing/model.js";
import type { Receipt } from "../src/core/records.js";
import type { CarryingProof, LaneRemoval, Proved } from "../src/git/port.js";
import type { ActivityDependencies } from "./dependencies.js";
import { storedProject } from "./pull-requests.js";

/** Runs on the task queue of the host that has the lane. */
export function laneHostActivities({ db, git, gitCredential }: ActivityDependencies) {
  return {
    /** Fetches the gate branch and proves that it carries the candidate. Reads only; safe to repeat. */
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
          ask.mergeCommit === null ? undefined : { commit: ask.mergeCommit, byContent: false },
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

export function closeOutActivities({ db, now }: ActivityDependencies) {
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
      return closeOutLanding(db, { ...ask, at: now() });
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
