/** One pass over the open landings of a project (A4.1): read in batches, store, and wake what would change. */
import { findFreeze } from "../db/freezes.js";
import { listLandings, listOpenLandings, storeObservations } from "../db/landings.js";
import { itemsToTell } from "../db/notices.js";
import { clearRefreshError, setRefreshError } from "../db/projects.js";
import { githubFault, githubRefusal } from "../src/core/github-fault.js";
import { decide } from "../src/core/landing/decide.js";
import { freezeNews, lasting } from "../src/core/landing/freeze.js";
import { observedFacts, wakes } from "../src/core/landing/observation.js";
import { defaultPolicy, type Observation } from "../src/core/landing/model.js";
import type { LandingRecord, Project } from "../src/core/records.js";
import type { ObservationBatch } from "../src/github/port.js";
import type { LandingInput, RefreshAnswer } from "../workflows/names.js";
import type { ActivityDependencies } from "./dependencies.js";
import { readFailure } from "./github-faults.js";
import { storedProject } from "./pull-requests.js";

/** Signals under way at once: Temporal's dev server answers slowly beyond this (stack.md, throughput). */
const signalsAtOnce = 10;

/** The workflow that a record is of. */
function landingOf(project: Project, { item, attempt }: LandingRecord): LandingInput {
  const { key, gateBranch } = project;
  return { project: key, item, gateBranch, ...(attempt === 0 ? {} : { attempt }) };
}

export function upkeepActivities(dependencies: ActivityDependencies) {
  const { db, now } = dependencies;

  async function observe(
    project: Project,
    open: readonly LandingRecord[],
  ): Promise<ObservationBatch> {
    const nodeIds = open.flatMap(({ nodeId }) => (nodeId === null ? [] : [nodeId]));
    if (nodeIds.length === 0) return { observations: [], unreadable: [], requests: 0 };
    return dependencies.github(project).observe(nodeIds);
  }

  async function wake(
    project: Project,
    changed: readonly (readonly [LandingRecord, Observation])[],
  ) {
    for (let from = 0; from < changed.length; from += signalsAtOnce) {
      await Promise.all(
        changed
          .slice(from, from + signalsAtOnce)
          .map(([record, observation]) =>
            dependencies.signalLanding(landingOf(project, record), observation),
          ),
      );
    }
  }

  /** Has the notices tried again that were not delivered, where there is somebody to tell (A4.6, A6.3). */
  async function tellAgain(project: Project, woken: ReadonlySet<string>): Promise<void> {
    const items = (await itemsToTell(db, { project: project.key, at: now() })).filter(
      (item) => !woken.has(item),
    );
    if (items.length === 0) return;
    const records = await listLandings(db, { items });
    // The stored reading is no news to the landing; that it hears anything has it deliver what it owes.
    await wake(
      project,
      records.flatMap((record) => {
        const observation = record.observation ?? record.state.lastObservation;
        return observation === null ? [] : [[record, observation] as const];
      }),
    );
  }

  /** Tells landings of the project's freeze or of its end; one that missed it is told by the next pass (A16.3). */
  async function tellOfFreeze(project: Project, open: readonly LandingRecord[]): Promise<void> {
    const freeze = lasting(await findFreeze(db, { project: project.key }), now());
    for (const record of open) {
      const news = freezeNews(record.state, freeze);
      if (news === null) continue;
      await dependencies.signalFreeze(landingOf(project, record), news.frozen);
    }
  }

  return {
    /**
     * Reads the open landings (or those of some pull requests), stores what GitHub said, and signals each landing
     * whose decision would change. A pass that changes nothing sends one read per 50 landings and no signal. What
     * was stored but not signalled when a worker died is signalled by the next pass, since the decision is asked
     * again each time. A full pass also has undelivered notices tried again.
     */
    async observeProject(ask: {
      readonly project: string;
      /** Null: every open landing, as the scheduled pass reads. */
      readonly pullRequests: readonly number[] | null;
    }): Promise<RefreshAnswer> {
      const project = await storedProject(db, ask.project);
      const wanted = ask.pullRequests === null ? null : new Set(ask.pullRequests);
      const open = (await listOpenLandings(db, { project: project.key })).filter(
        ({ pullRequest }) => wanted === null || (pullRequest !== null && wanted.has(pullRequest)),
      );
      let batch: ObservationBatch;
      try {
        batch = await observe(project, open);
      } catch (error) {
        const fault = githubFault(error);
        if (fault === null) throw error;
        const refusal = githubRefusal(fault, "arming_refused");
        const refreshError = { code: refusal.code, message: refusal.message };
        await setRefreshError(db, { project: project.key, ...refreshError, at: now() });
        if (fault.kind === "no_access") return { observed: 0, changed: 0, refreshError };
        throw readFailure(error);
      }
      const byNode = new Map(batch.observations.map((seen) => [seen.nodeId, seen]));
      const seen: (readonly [LandingRecord, Observation])[] = [];
      for (const record of open) {
        const observation = record.nodeId === null ? undefined : byNode.get(record.nodeId);
        if (observation !== undefined) seen.push([record, observation]);
      }
      const news = seen.filter(
        ([record, observation]) =>
          record.observation === null ||
          observedFacts(record.observation) !== observedFacts(observation),
      );
      if (news.length > 0) {
        await storeObservations(db, {
          observations: news.map(([record, observation]) => ({ item: record.item, observation })),
          at: now(),
        });
      }
      const changed = seen.filter(([record, observation]) =>
        wakes(record.state, decide(record.state, { type: "observed", observation }, defaultPolicy)),
      );
      const unreadable = batch.unreadable[0];
      const refreshError =
        unreadable === undefined
          ? null
          : {
              code: "pull_request_unreadable",
              message: `${batch.unreadable.length} pull request(s) could not be read; first: ${unreadable.why}`,
            };
      if (refreshError !== null) {
        await setRefreshError(db, { project: project.key, ...refreshError, at: now() });
      } else if (wanted === null) {
        await clearRefreshError(db, { project: project.key, at: now() });
      }
      // Last: a landing that is woken may have an error of its own to record (A11.1).
      await wake(project, changed);
      await tellOfFreeze(project, open);
      if (wanted === null)
        await tellAgain(project, new Set(changed.map(([record]) => record.item)));
      return { observed: seen.length, changed: changed.length, refreshError };
    },
  };
}
