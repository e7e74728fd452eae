/** Activities that write what the workflow decided into Postgres. Every one is safe to repeat. */
import { commitLanding } from "../db/landing-commit.js";
import { findLanding } from "../db/landings.js";
import { listNotices } from "../db/notices.js";
import { clearRefreshError, setRefreshError } from "../db/projects.js";
import { listReceipts } from "../db/receipts.js";
import type { LandingEffect, LandingState, NoticeDraft } from "../src/core/landing/model.js";
import type { LandingRecord, Receipt } from "../src/core/records.js";
import type { ActivityDependencies } from "./dependencies.js";

export interface LandingCommit {
  readonly state: LandingState;
  readonly version: number;
  readonly why: string;
  readonly stamp: Extract<LandingEffect, { type: "stampLanding" }> | null;
  readonly notices: readonly NoticeDraft[];
  readonly result: string | null;
  readonly verification: string | null;
}

export function projectionActivities({ db, now }: ActivityDependencies) {
  return {
    /** The stored record of a landing and the keys of its undelivered notices, to take it up in a new workflow. */
    async loadLanding(ask: { readonly item: string }): Promise<{
      readonly record: LandingRecord | null;
      readonly receipts: readonly Receipt[];
      readonly owed: readonly string[];
    }> {
      const owed = await listNotices(db, { item: ask.item, state: "pending" });
      return {
        record: await findLanding(db, ask),
        receipts: await listReceipts(db, ask),
        owed: owed.map(({ key }) => key),
      };
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
