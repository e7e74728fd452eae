/** Claims of one retry of a failed merge train (A9). */
import { inTransaction, type Executor } from "../db/client.js";
import { listReservations, reserve, settle } from "../db/reservations.js";
import { findSession } from "../db/sessions.js";
import { listSteeringMessages, sayToSteering } from "../db/steering.js";
import { reentryKind } from "../src/core/landing/reentry-receipt.js";
import {
  flakeKey,
  flakeMessage,
  tellsOfRun,
  type FlakeReason,
  type TrainInput,
} from "../src/core/recovery/flake.js";
import type { Reservation } from "../src/core/records.js";
import { refuse, type Refusal } from "../src/core/refusals.js";
import type { ActivityDependencies } from "./dependencies.js";

export interface FlakeClaim extends TrainInput {
  readonly item: string;
  readonly runUrl: string;
  readonly reason: FlakeReason;
  readonly session: string | null;
}

export type ClaimAnswer =
  | { readonly claimed: true; readonly key: string }
  | { readonly claimed: false; readonly refusal: Refusal };

/** Kind of these reservations, as `Merge train retries` looks for them. */
const kind = "flake_retry";
const arming: ReadonlySet<string> = new Set(["enqueue", "enable_auto_merge", reentryKind]);

export function flakeRetryActivities({ db, now }: ActivityDependencies) {
  /** A claim that was never settled is used again when every request that followed it was refused. */
  async function unspent(executor: Executor, claim: Reservation): Promise<boolean> {
    if (claim.state !== "reserved") return false;
    const followed = (await listReservations(executor, claim)).filter(
      (one) => arming.has(one.kind) && Date.parse(one.reservedAt) >= Date.parse(claim.reservedAt),
    );
    return followed.every(({ state }) => state === "released");
  }

  async function tell(executor: Executor, key: string, ask: FlakeClaim): Promise<void> {
    const said = await listSteeringMessages(executor, ask);
    if (said.some(({ text }) => tellsOfRun(text, ask.runUrl))) return;
    const session = ask.session === null ? null : await findSession(executor, { id: ask.session });
    await sayToSteering(executor, {
      id: `${key}:${ask.runUrl}`,
      project: ask.project,
      item: ask.item,
      fromSession: session?.id ?? null,
      text: flakeMessage(ask.item, ask),
      at: now(),
    });
  }

  return {
    /**
     * Reserves the retry and tells the steering seat, in one transaction. Key: pull request, head and base. A second
     * call finds its own claim, as long as no request was accepted under it, and a message of this run.
     */
    async claimFlakeRetry(ask: FlakeClaim): Promise<ClaimAnswer> {
      const key = flakeKey(ask);
      return inTransaction(db, async (executor): Promise<ClaimAnswer> => {
        const { test, why } = ask.reason;
        const answer = await reserve(executor, {
          key,
          item: ask.item,
          kind,
          detail: `${test}: ${why}; run ${ask.runUrl}; pull request ${ask.pullRequest}, head ${ask.head}, base ${ask.base}; session ${ask.session ?? "-"}`,
          at: now(),
        });
        if (!answer.reserved && !(await unspent(executor, answer.existing))) {
          const { state, reservedAt, detail } = answer.existing;
          const message = `The retry of pull request ${ask.pullRequest} at head ${ask.head} and base ${ask.base} was claimed at ${reservedAt} (${state}): ${detail}.`;
          const seen = { item: ask.item, reservation: key };
          return {
            claimed: false,
            refusal: refuse("merge_train_flake_retry_exhausted", message, seen),
          };
        }
        await tell(executor, key, ask);
        return { claimed: true, key };
      });
    },

    /** Says what became of the request that the claim was for (A9.3). A second call changes nothing. */
    async settleFlakeRetry(ask: {
      readonly key: string;
      readonly state: "completed" | "uncertain" | "released";
    }): Promise<void> {
      await settle(db, { ...ask, at: now() });
    },
  };
}
