/** Activities on one pull request: read, open, arm, let go. */
import { activityInfo } from "@temporalio/activity";
import type { Executor } from "../db/client.js";
import { findFreeze } from "../db/freezes.js";
import { findProject } from "../db/projects.js";
import { reserve, settle } from "../db/reservations.js";
import { githubFault, githubRefusal } from "../src/core/github-fault.js";
import { frozenRefusal, lasting } from "../src/core/landing/freeze.js";
import { withoutAncestry } from "../src/core/landing/content-evidence.js";
import type { Observation, QueueConflict, StopEvidence } from "../src/core/landing/model.js";
import { reentryKind, reentryReceipt } from "../src/core/landing/reentry-receipt.js";
import type { Project } from "../src/core/records.js";
import { refuse, type Refusal } from "../src/core/refusals.js";
import type { RefusalMeaning } from "../src/github/port.js";
import type { ActivityDependencies } from "./dependencies.js";
import { readFailure } from "./github-faults.js";

export type ArmCall = "enqueue" | "enable_auto_merge";

/** What became of one arming request. Only `accepted` and `uncertain` may have had an effect. */
export type ArmOutcome =
  /** With the pull request as GitHub's answer shows it; null when it shows none, or was given to an earlier call. */
  | { readonly outcome: "accepted"; readonly observation: Observation | null }
  | { readonly outcome: "uncertain"; readonly why: string }
  | {
      readonly outcome: "refused";
      readonly meaning: RefusalMeaning | "no_access" | "frozen";
      readonly refusal: Refusal;
    }
  /** Nothing left the machine; may be sent again after the delay. */
  | {
      readonly outcome: "not_sent";
      readonly refusal: Refusal;
      readonly retryAfterMs: number;
    };

export interface ArmRequest {
  readonly project: string;
  readonly item: string;
  /** Reservation: one request leaves the machine for each key, ever (design.md "Effects"). */
  readonly key: string;
  readonly call: ArmCall;
  readonly nodeId: string;
  readonly expectedHead: string;
  /** An automatic re-entry, and what is kept of it in its receipt (A7.4). */
  readonly reentry?: { readonly pullRequest: number; readonly conflict: QueueConflict };
  /** Lets land what GitHub holds already, so a freeze that drains does not stand against it (A16.3). */
  readonly drains?: boolean;
}

export interface DisarmOutcome {
  readonly ok: boolean;
  readonly why: string;
  /** The reading that confirms it; null when it could not be read back. */
  readonly observation: Observation | null;
}

/** Loads a project that must exist: workflows are started only for stored projects. */
export async function storedProject(db: Executor, key: string): Promise<Project> {
  const project = await findProject(db, { key });
  if (project === null) throw new Error(`project ${key} has no row`);
  return project;
}

export function pullRequestActivities(dependencies: ActivityDependencies) {
  const { db, now } = dependencies;

  async function github(project: string) {
    return dependencies.github(await storedProject(db, project));
  }

  /** Reads one pull request; null when GitHub does not show it. One request, no effect. */
  async function readPullRequest(ask: {
    readonly project: string;
    readonly nodeId: string;
  }): Promise<Observation | null> {
    try {
      const batch = await (await github(ask.project)).observe([ask.nodeId]);
      return batch.observations[0] ?? null;
    } catch (error) {
      throw readFailure(error);
    }
  }

  return {
    readPullRequest,

    /**
     * Opens the pull request of a lane. Key: head branch into gate branch; GitHub keeps at most one open for
     * the pair, and a repeat first looks for it, so a lost reply opens no second one.
     */
    async openPullRequest(ask: {
      readonly project: string;
      readonly repositoryNodeId: string;
      readonly headBranch: string;
      readonly gateBranch: string;
      readonly title: string;
      readonly body: string;
      /** False on the first call of this request: nothing was sent yet, so nothing is looked up. */
      readonly mayExist: boolean;
    }): Promise<
      | { readonly opened: true; readonly observation: Observation }
      | { readonly opened: false; readonly retry: boolean; readonly refusal: Refusal }
    > {
      const project = await storedProject(db, ask.project);
      const client = dependencies.github(project);
      try {
        // A second attempt follows a worker that died, perhaps after the request had its effect.
        if (ask.mayExist || activityInfo().attempt > 1) {
          const target = await client.landingTarget(project, {
            branch: ask.headBranch,
            gateBranch: ask.gateBranch,
            pullRequest: null,
          });
          if (target.observation?.state === "OPEN") {
            return { opened: true, observation: target.observation };
          }
        }
        const observation = await client.openPullRequest({
          repositoryNodeId: ask.repositoryNodeId,
          headBranch: ask.headBranch,
          baseBranch: ask.gateBranch,
          title: ask.title,
          body: ask.body,
        });
        return { opened: true, observation };
      } catch (error) {
        const fault = githubFault(error);
        if (fault === null) throw error;
        const retry = fault.kind === "uncertain" || fault.kind === "unavailable";
        const refusal =
          fault.kind === "refused"
            ? refuse(
                "pull_request_refused",
                `GitHub refused to open the pull request: ${fault.message}`,
              )
            : githubRefusal(fault, "arming_refused");
        return { opened: false, retry, refusal };
      }
    },

    /**
     * Sends one arming request (A1.3), unless the project is frozen. Key: the reservation; a second call with the same key sends nothing and
     * answers what is known: `accepted`, or `uncertain` when an earlier call died between sending and settling.
     */
    async armPullRequest(ask: ArmRequest): Promise<ArmOutcome> {
      const freeze = lasting(await findFreeze(db, { project: ask.project }), now());
      if (freeze !== null && !(freeze.drain && ask.drains === true)) {
        const refusal = frozenRefusal(ask.project, freeze);
        return { outcome: "refused", meaning: "frozen", refusal };
      }
      const client = await github(ask.project);
      const reservation = await reserve(db, {
        key: ask.key,
        item: ask.item,
        ...(ask.reentry === undefined
          ? { kind: ask.call, detail: `${ask.nodeId} at ${ask.expectedHead}` }
          : { kind: reentryKind, detail: reentryReceipt(ask.reentry, ask.expectedHead) }),
        at: now(),
      });
      const settleAs = (state: "completed" | "uncertain" | "released", detail?: string) =>
        settle(db, { key: ask.key, state, detail, at: now() });
      let observation: Observation | null;
      if (!reservation.reserved) {
        if (reservation.existing.state === "completed") {
          return { outcome: "accepted", observation: null };
        }
        // Whoever reserved it is gone and settles it no more.
        const why = `request ${ask.key} was reserved before and its reply is not known`;
        await settleAs("uncertain", why);
        return { outcome: "uncertain", why };
      }
      try {
        observation = await (ask.call === "enqueue"
          ? client.enqueue({ nodeId: ask.nodeId, expectedHead: ask.expectedHead })
          : client.enableAutoMerge({ nodeId: ask.nodeId, expectedHead: ask.expectedHead }));
      } catch (error) {
        const fault = githubFault(error);
        if (fault === null) throw error;
        if (fault.kind === "uncertain") {
          await settleAs("uncertain", fault.message);
          return { outcome: "uncertain", why: fault.message };
        }
        await settleAs("released", fault.message);
        const refusal = githubRefusal(fault, "arming_refused");
        if (fault.kind === "refused")
          return { outcome: "refused", meaning: fault.meaning, refusal };
        if (fault.kind === "no_access")
          return { outcome: "refused", meaning: "no_access", refusal };
        return {
          outcome: "not_sent",
          refusal,
          retryAfterMs: fault.kind === "rate_limited" ? fault.retryAfterMs : 1000,
        };
      }
      await settleAs("completed");
      return { outcome: "accepted", observation };
    },

    /** A reading shows that an automatic re-entry took effect though its reply was lost: it has its receipt (A7.4). */
    async confirmReentry(ask: {
      readonly key: string;
      readonly expectedHead: string;
      readonly reentry: NonNullable<ArmRequest["reentry"]>;
    }): Promise<void> {
      const { key, expectedHead, reentry } = ask;
      const detail = reentryReceipt(reentry, expectedHead);
      await settle(db, { key, state: "completed", detail, at: now() });
    },

    /**
     * Takes the pull request out of the queue, or merge-when-ready off it, and reads it back (A6.2). Asking
     * twice is harmless: what is already let go is confirmed by the reading and nothing is sent.
     */
    async disarmPullRequest(ask: {
      readonly project: string;
      readonly nodeId: string;
    }): Promise<DisarmOutcome> {
      const client = await github(ask.project);
      let why = "GitHub holds neither arming nor a queue entry";
      for (let round = 0; round < 3; round += 1) {
        const observation = await readPullRequest(ask);
        if (observation === null)
          return { ok: false, why: "the pull request cannot be read", observation };
        if (observation.queue.read === "unreadable") {
          return {
            ok: false,
            why: `the queue cannot be read: ${observation.queue.why}`,
            observation,
          };
        }
        const queued = observation.queue.read === "entry";
        if (observation.state !== "OPEN" || (!queued && observation.autoMerge === null)) {
          return { ok: true, why, observation };
        }
        try {
          await (queued ? client.dequeue(ask) : client.disableAutoMerge(ask));
        } catch (error) {
          const fault = githubFault(error);
          if (fault === null) throw error;
          why = fault.message;
          if (fault.kind === "no_access" || fault.kind === "rate_limited") {
            return { ok: false, why, observation };
          }
        }
      }
      return { ok: false, why, observation: null };
    },

    /** Reads what a stop needs before it is said (A5.3, A5.12). No effect. */
    async readStopEvidence(ask: {
      readonly project: string;
      readonly pullRequest: number;
      readonly candidate: string;
      readonly baseBranch: string;
    }): Promise<StopEvidence> {
      const project = await storedProject(db, ask.project);
      try {
        const evidence = await dependencies.github(project).stopEvidence(project, ask);
        return project.closeOut === "content" ? withoutAncestry(evidence) : evidence;
      } catch (error) {
        throw readFailure(error);
      }
    },

    /** Reads the entries ahead and the files shared with them (A7.1). No effect. */
    async readQueueAhead(ask: {
      readonly project: string;
      readonly pullRequest: number;
      readonly baseBranch: string;
    }): Promise<QueueConflict | null> {
      const project = await storedProject(db, ask.project);
      try {
        return await dependencies.github(project).queueAhead(project, { ...ask, at: now() });
      } catch (error) {
        throw readFailure(error);
      }
    },
  };
}
