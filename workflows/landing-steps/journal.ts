/** The landing as its workflow carries it: state in, decision applied, effects out, everything stored first. */
import {
  ActivityFailure,
  ApplicationFailure,
  patched,
  proxyActivities,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
} from "@temporalio/workflow";
import type { Activities } from "../../activities/index.js";
import { profiles } from "../../activities/profiles.js";
import type { ArmOutcome } from "../../activities/pull-requests.js";
import { isHeld } from "../../src/core/landing/arming.js";
import { decide } from "../../src/core/landing/decide.js";
import {
  defaultPolicy,
  type Decision,
  type LandingEffect,
  type LandingFact,
  type LandingState,
  type Observation,
} from "../../src/core/landing/model.js";
import { unreadableWhy } from "../../src/core/landing/unreadable.js";
import { wakes } from "../../src/core/landing/observation.js";
import { landingDetails } from "../../src/core/landing/view.js";
import type { LandingCarried } from "../names.js";
import { yokePullRequest, yokeState } from "../search-attributes.js";

const database = proxyActivities<Activities>(profiles.database);
const reads = proxyActivities<Activities>(profiles.githubRead);
const writes = proxyActivities<Activities>(profiles.githubWrite);
const notices = proxyActivities<Activities>(profiles.notice);
const disarm = proxyActivities<Activities>(profiles.disarm);

/** The message at the bottom of a failed activity's cause chain. */
export function failureMessage(error: unknown): string {
  if (error instanceof ActivityFailure && error.cause !== undefined)
    return failureMessage(error.cause);
  return error instanceof Error ? error.message : String(error);
}

/** GitHub lets nobody in with this credential, or not to that (A7.5). */
function accessRefused(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type === "github_access_refused";
}

/** A "no" that repeating the request, or a reading, would not turn into something else. */
function isRefusal(outcome: ArmOutcome): outcome is Extract<ArmOutcome, { outcome: "refused" }> {
  return (
    outcome.outcome === "refused" &&
    !["already_queued", "already_clean", "not_ready", "frozen"].includes(outcome.meaning)
  );
}

/** Lets go of the pull request; a request that cannot be finished is a failed disarm, never a failed landing. */
export async function disarming(
  project: string,
  nodeId: string,
): Promise<{
  readonly ok: boolean;
  readonly why: string;
  readonly observation: Observation | null;
}> {
  try {
    return await disarm.disarmPullRequest({ project, nodeId });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return { ok: false, why: failureMessage(error), observation: null };
  }
}

export class Journal {
  state: LandingState;
  version: number;
  why: string;
  result: string | null;
  verification: string | null;
  /** Keys of notices decided but not delivered yet (A4.6). */
  undelivered: string[];
  /** When to look again though nothing was heard; milliseconds since the epoch, null: not needed. */
  wakeAt: number | null = null;
  /** What the stored record says that GitHub could not be read for; null: it says something else. */
  private unreadable: string | null = null;

  /** The attempt is to be closed once nothing is owed to its holder (A10.4). */
  private closing = false;

  constructor(carried: LandingCarried) {
    this.state = carried.state;
    this.version = carried.version;
    this.why = carried.why;
    this.result = carried.result;
    this.verification = carried.verification;
    this.undelivered = [...carried.undeliveredNotices];
  }

  carry(): LandingCarried {
    const { state, version, why, result, verification, undelivered } = this;
    return { state, version, why, result, verification, undeliveredNotices: undelivered };
  }

  get project(): string {
    return this.state.project;
  }

  /** Gives a fact to the decision, stores what it decided, and does what it asks, until it asks nothing more. */
  async take(fact: LandingFact): Promise<void> {
    this.wakeAt = null;
    let next: LandingFact | null = fact;
    // Every round either settles or asks for one more reading; three kinds of reading exist, so this ends.
    for (let round = 0; next !== null && round < 6; round += 1) {
      const decision: Decision = decide(this.state, next, defaultPolicy);
      await this.store(decision, next.type !== "observed");
      next = await this.perform(decision.effects);
    }
    await this.deliver();
    if (this.closing && this.undelivered.length === 0) {
      const at = this.state.lastObservation?.readAt ?? new Date(Date.now()).toISOString();
      await this.store(decide(this.state, { type: "attemptClosed", at }, defaultPolicy), true);
    }
    this.closing = false;
  }

  /** A newer attempt took the place of this one; that is stored with its opening (A10.2). */
  supersede({ state, why }: Decision): void {
    this.takeOver({ ...this.carry(), state, why, version: this.version + 1 });
  }

  /** What is stored took the place of what this workflow knew: an attempt that ended was opened again. */
  takeOver(carried: LandingCarried): void {
    const before = this.state;
    this.state = carried.state;
    this.version = carried.version;
    this.why = carried.why;
    this.undelivered = [...carried.undeliveredNotices];
    this.describe(before);
  }

  /** Records the pull request on the item before anything is armed (A1.3). */
  async boundary(observation: Observation): Promise<void> {
    const { pullRequest, nodeId, url } = observation;
    if (this.state.pullRequest?.number === pullRequest) return;
    await this.store(
      {
        state: { ...this.state, pullRequest: { number: pullRequest, nodeId, url } },
        effects: [],
        why: `pull request ${pullRequest} is recorded, not armed`,
      },
      true,
    );
  }

  /** Stores the decision in one transaction, unless it changed nothing (A4.8). */
  private async store(decision: Decision, always: boolean): Promise<void> {
    const changed = always || wakes(this.state, decision);
    const before = this.state;
    this.state = decision.state;
    this.why = decision.why;
    this.describe(before);
    if (!changed) return;
    this.unreadable = null;
    this.version += 1;
    const drafts = decision.effects.flatMap((effect) =>
      effect.type === "notice" ? [effect.notice] : [],
    );
    const stamp = decision.effects.find((effect) => effect.type === "stampLanding") ?? null;
    await database.commitLanding({
      state: this.state,
      version: this.version,
      why: this.why,
      stamp,
      freeze: decision.effects.find((effect) => effect.type === "freezeArming") ?? null,
      notices: drafts,
      result: this.result,
      verification: this.verification,
    });
    this.undelivered.push(...drafts.map(({ key }) => key));
  }

  /** Makes the Temporal web UI say where the landing stands. */
  describe(before: LandingState | null): void {
    const { phase, pullRequest } = this.state;
    if (
      before === null ||
      before.phase !== phase ||
      before.pullRequest?.number !== pullRequest?.number
    ) {
      upsertSearchAttributes([
        { key: yokeState, value: phase },
        ...(pullRequest === null ? [] : [{ key: yokePullRequest, value: pullRequest.number }]),
      ]);
    }
    setCurrentDetails(landingDetails(this.state, this.why));
  }

  private async perform(effects: readonly LandingEffect[]): Promise<LandingFact | null> {
    let next: LandingFact | null = null;
    for (const effect of effects) {
      const fact = await this.performOne(effect);
      if (fact !== null) next = fact;
    }
    return next;
  }

  private async performOne(effect: LandingEffect): Promise<LandingFact | null> {
    const { project, state } = this;
    const observation = state.lastObservation;
    switch (effect.type) {
      case "stampLanding":
      case "freezeArming":
      case "notice":
        // Stored with the state; notices are delivered once nothing more is asked.
        return null;
      case "closeAttempt":
        this.closing = true;
        return null;
      case "recheck":
        this.wakeAt = Date.now() + effect.afterSeconds * 1000;
        return null;
      case "refreshError":
        await database.recordRefreshError({
          project,
          error: { code: effect.code, message: effect.message },
        });
        this.wakeAt = Date.now() + 60_000;
        return null;
      case "disarm": {
        if (observation === null) return null;
        const { ok, why } = await disarming(project, observation.nodeId);
        return { type: "disarmResult", ok, why, at: new Date(Date.now()).toISOString() };
      }
      case "enqueue": {
        if (observation === null || state.candidate === null) return null;
        const { pullRequest } = observation;
        const conflict = effect.why === "reentry" ? state.queueConflict : null;
        const expectedHead = state.candidate.commit;
        const outcome = await writes.armPullRequest({
          project,
          item: state.item,
          key: effect.key,
          call: effect.call,
          nodeId: observation.nodeId,
          expectedHead,
          ...(conflict === null ? {} : { reentry: { pullRequest, conflict } }),
          drains: effect.why === "grace",
        });
        if (conflict !== null && outcome.outcome === "uncertain" && patched("reentry-lost")) {
          const shows = await this.readUntil(observation.nodeId, 3, isHeld);
          if (shows === null || !isHeld(shows)) return { type: "reentryLost", observation: shows };
          const reentry = { pullRequest, conflict };
          await database.confirmReentry({ key: effect.key, expectedHead, reentry });
          return { type: "observed", observation: shows };
        }
        const seen = await this.read(observation.nodeId);
        if (conflict !== null && isRefusal(outcome) && patched("reentry-refused")) {
          const { message, next } = outcome.refusal;
          return { type: "reentryRefused", observation: seen, message, next };
        }
        if (conflict === null && isRefusal(outcome) && patched("enqueue-refused")) {
          return { type: "enqueueRefused", observation: seen, message: outcome.refusal.message };
        }
        return seen === null ? null : { type: "observed", observation: seen };
      }
      case "mergeDirectly": {
        if (observation === null || state.candidate === null) return null;
        const { pullRequest, nodeId, headBranch } = observation;
        const answer = await writes.mergePullRequest({
          project,
          item: state.item,
          key: effect.key,
          pullRequest,
          nodeId,
          headBranch,
          expectedHead: state.candidate.commit,
        });
        if (answer.outcome !== "sent") return { type: "directMerge", answer };
        const seen = await this.read(nodeId);
        return seen?.state === "MERGED" ? { type: "observed", observation: seen } : null;
      }
      case "readStopEvidence": {
        if (observation === null) return null;
        return this.orLater("what its stop rests on", async () => ({
          type: "stopEvidence",
          observation,
          evidence: await reads.readStopEvidence({
            project,
            pullRequest: observation.pullRequest,
            candidate: state.candidate?.commit ?? observation.head,
            baseBranch: state.gateBranch,
          }),
        }));
      }
      case "readQueueAhead": {
        if (observation === null) return null;
        return this.orLater("the entries ahead and their files", async () => ({
          type: "queueAhead",
          observation,
          conflict: await reads.readQueueAhead({
            project,
            pullRequest: observation.pullRequest,
            baseBranch: state.gateBranch,
          }),
        }));
      }
    }
  }

  /** A reading that fails proves nothing: the landing stays pending and looks again (A4.7, A5.10). */
  private async orLater(
    what: string,
    read: () => Promise<LandingFact>,
  ): Promise<LandingFact | null> {
    try {
      return await read();
    } catch (error) {
      this.why = unreadableWhy(what, failureMessage(error), accessRefused(error));
      this.describe(this.state);
      // On record, once, for whoever asks why it has not landed (A7.3).
      if (this.unreadable !== what && patched("unreadable-is-told")) {
        await this.store({ state: this.state, effects: [], why: this.why }, true);
        this.unreadable = what;
      }
      this.wakeAt = Date.now() + 30_000;
      return null;
    }
  }

  /** One reading of the pull request; null when GitHub does not answer or does not show it. */
  async read(nodeId: string): Promise<Observation | null> {
    try {
      return await reads.readPullRequest({ project: this.project, nodeId });
    } catch (error) {
      if (error instanceof ActivityFailure) return null;
      throw error;
    }
  }

  /** Reads up to `times`, a second apart, until `enough` says so; answers the newest reading. */
  async readUntil(
    nodeId: string,
    times: number,
    enough: (seen: Observation) => boolean,
  ): Promise<Observation | null> {
    let newest: Observation | null = null;
    for (let time = 0; time < times; time += 1) {
      if (time > 0) await sleep(1000);
      newest = (await this.read(nodeId)) ?? newest;
      if (newest !== null && enough(newest)) break;
    }
    return newest;
  }

  /** Delivers what is owed; what fails, or finds nobody to tell, stays owed until upkeep asks again (A4.6, A6.3). */
  private async deliver(): Promise<void> {
    const owed = [...this.undelivered];
    for (const key of owed) {
      try {
        await notices.deliverNotice({ project: this.project, key });
        this.undelivered = this.undelivered.filter((other) => other !== key);
      } catch (error) {
        if (!(error instanceof ActivityFailure)) throw error;
      }
    }
  }
}
