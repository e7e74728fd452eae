/** Activities that write what the workflow decided into Postgres. Every one is safe to repeat. */
import { commitLanding } from "../db/landing-commit.js";
import { openLandingAttempt, type AttemptOpened } from "../db/attempt-opening.js";
import { findLanding, listLandings, type LandingUpdate } from "../db/landings.js";
import { listNotices } from "../db/notices.js";
import { clearRefreshError, setRefreshError } from "../db/projects.js";
import { listReceipts, newestCompletedReceipt } from "../db/receipts.js";
import { lastEpisode } from "../src/core/landing/landings-of-item.js";
import type { LandingEffect, LandingState, NoticeDraft } from "../src/core/landing/model.js";
import type { LandingRecord, Receipt } from "../src/core/records.js";
import type { ActivityDependencies } from "./dependencies.js";

export interface LandingCommit {
  readonly state: LandingState;
  readonly version: number;
  readonly why: string;
  readonly stamp: Extract<LandingEffect, { type: "stampLanding" }> | null;
  /** Not there before 0.2.0. */
  readonly freeze?: Extract<LandingEffect, { type: "freezeArming" }> | null;
  readonly notices: readonly NoticeDraft[];
  readonly result: string | null;
  readonly verification: string | null;
}

export function projectionActivities({ db, now }: ActivityDependencies) {
  return {
    /** The stored record of a landing and the keys of its undelivered notices, to take it up in a new workflow. */
    async loadLanding(ask: {
      readonly item: string;
      /** The pull request of a re-land attempt; without it the item's first landing. */
      readonly attempt?: number;
    }): Promise<{
      readonly record: LandingRecord | null;
      readonly receipts: readonly Receipt[];
      readonly owed: readonly string[];
    }> {
      const pending = await listNotices(db, { item: ask.item, state: "pending" });
      const record = await findLanding(db, ask);
      const noticed = new Set(record?.state.noticed ?? []);
      const owed = pending.filter(({ episode, kind }) => noticed.has(`${episode}:${kind}`));
      return {
        record,
        receipts: await listReceipts(db, ask),
        owed: owed.map(({ key }) => key),
      };
    },

    /** The newest landing that was closed out, with its receipt (A10.8); null when there is none to read. */
    async recordedLanding(ask: {
      readonly item: string;
    }): Promise<{ readonly receipt: Receipt; readonly landing: LandingState } | null> {
      const receipt = await newestCompletedReceipt(db, ask);
      if (receipt === null) return null;
      const records = await listLandings(db, { items: [ask.item] });
      const landing = records.find(({ pullRequest }) => pullRequest === receipt.pullRequest);
      return landing === undefined ? null : { receipt, landing: landing.state };
    },

    /**
     * Opens a re-land attempt, and closes the one it supersedes, in one transaction (A10.1, A10.2). Key: item and
     * pull request; a repeat changes nothing. Its episodes count on from all landings of the item.
     */
    async openAttempt(ask: {
      readonly state: LandingState;
      readonly superseding: Pick<LandingUpdate, "state" | "version" | "why"> | null;
    }): Promise<AttemptOpened> {
      const { item, pullRequest } = ask.state;
      const episode = lastEpisode(await listLandings(db, { items: [item] }));
      const at = now();
      return openLandingAttempt(db, {
        state: { ...ask.state, episode },
        why: `pull request ${pullRequest?.number ?? 0} is recorded, not armed`,
        superseding: ask.superseding === null ? null : { ...ask.superseding, at },
        at,
      });
    },

    /**
     * Stores the workflow's state, the landing's stamps and receipt identity, and the notices it decided, in one
     * transaction (A11.1). Key: item and version; an older version changes nothing (A4.8).
     */
    async commitLanding(commit: LandingCommit): Promise<void> {
      const { stamp, ...rest } = commit;
      await commitLanding(db, { ...rest, at: now(), ...(stamp === null ? {} : { stamp }) });
    },

    /** Records why a project cannot be refreshed (A5.10, A11.1); null clears it. */
    async recordRefreshError(ask: {
      readonly project: string;
      readonly error: { readonly code: string; readonly message: string } | null;
    }): Promise<void> {
      if (ask.error === null) await clearRefreshError(db, { project: ask.project, at: now() });
      else await setRefreshError(db, { project: ask.project, ...ask.error, at: now() });
    },
  };
}
