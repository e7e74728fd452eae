/** The direct merge of a pull request into a branch without a queue (A12.3). */
import { findFreeze } from "../db/freezes.js";
import { reserve, settle } from "../db/reservations.js";
import { githubFault } from "../src/core/github-fault.js";
import type { DirectMerge } from "../src/core/landing/direct.js";
import { frozenRefusal, lasting } from "../src/core/landing/freeze.js";
import type { GitHub } from "../src/github/port.js";
import type { ActivityDependencies } from "./dependencies.js";
import { storedProject } from "./pull-requests.js";

export interface DirectMergeRequest {
  readonly project: string;
  readonly item: string;
  /** Reservation: one request leaves the machine for each key, ever. */
  readonly key: string;
  readonly pullRequest: number;
  readonly nodeId: string;
  readonly headBranch: string;
  readonly expectedHead: string;
}

export function directMergeActivities(
  dependencies: Pick<ActivityDependencies, "db" | "github" | "now">,
) {
  const { db, now } = dependencies;

  return {
    /**
     * Merges the pull request with its head pinned, after GitHub was read once more: no queue, the same head, and a
     * candidate that contains the gate branch. Key: the reservation; a second call with the same key sends nothing, and
     * what the first one did is for the next reading to show (case A31: also when its reply was a 500).
     */
    async mergePullRequest(ask: DirectMergeRequest): Promise<DirectMerge> {
      const project = await storedProject(db, ask.project);
      const freeze = lasting(await findFreeze(db, { project: ask.project }), now());
      if (freeze !== null && !freeze.drain) {
        return { outcome: "later", why: frozenRefusal(ask.project, freeze).message };
      }
      const client = dependencies.github(project);
      try {
        const before = await whatStandsAgainst(client, project, ask);
        if (before !== null) return before;
      } catch (error) {
        const fault = githubFault(error);
        if (fault === null) throw error;
        return { outcome: "later", why: fault.message };
      }
      const detail = `${ask.nodeId} at ${ask.expectedHead}`;
      const { key, item } = ask;
      const reservation = await reserve(db, { key, item, kind: "merge", detail, at: now() });
      if (!reservation.reserved) return { outcome: "sent" };
      const settleAs = (state: "completed" | "uncertain" | "released", why: string) =>
        settle(db, { key, state, detail: why, at: now() });
      try {
        await client.mergePullRequest({ nodeId: ask.nodeId, expectedHead: ask.expectedHead });
      } catch (error) {
        const fault = githubFault(error);
        if (fault === null) throw error;
        if (fault.kind === "uncertain") {
          await settleAs("uncertain", fault.message);
          return { outcome: "sent" };
        }
        await settleAs("released", fault.message);
        return fault.kind === "refused" || fault.kind === "no_access"
          ? { outcome: "refused", message: fault.message }
          : { outcome: "later", why: fault.message };
      }
      await settleAs("completed", "accepted by GitHub");
      return { outcome: "sent" };
    },
  };
}

async function whatStandsAgainst(
  client: GitHub,
  project: { readonly owner: string; readonly name: string; readonly gateBranch: string },
  { pullRequest, headBranch, expectedHead }: DirectMergeRequest,
): Promise<DirectMerge | null> {
  const { gateBranch } = project;
  const ask = { branch: headBranch, gateBranch, pullRequest };
  const target = await client.landingTarget(project, ask);
  if (target.queueUnreadable !== undefined) {
    return { outcome: "later", why: `the queue cannot be read: ${target.queueUnreadable}` };
  }
  if (target.queueEnabled) return { outcome: "has_queue" };
  const seen = target.observation;
  if (seen?.state !== "OPEN" || seen.head !== expectedHead || seen.baseBranch !== gateBranch) {
    return { outcome: "later", why: "the pull request is no longer as it was read" };
  }
  const compared = await client.compareWithBranch(project, {
    branch: gateBranch,
    commit: expectedHead,
  });
  if (compared === "DIVERGED") return { outcome: "stale" };
  // Its content is there already: GitHub has yet to say so, and a second merge would be made of nothing.
  return compared === "AHEAD" ? null : { outcome: "later", why: "the branch contains it already" };
}
