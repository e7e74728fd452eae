/** Reruns of cancelled and never-started required checks, each attempt at most once (A8). */
import { listReservations, reserve, settle } from "../db/reservations.js";
import { githubFault, githubRefusal } from "../src/core/github-fault.js";
import { causeInWords } from "../src/core/recovery/cancelled.js";
import { recoverChecks, reruns, type CheckAnswer } from "../src/core/recovery/recover.js";
import { recoveryRefusals } from "../src/core/recovery/refusals.js";
import { refuse, type Refusal } from "../src/core/refusals.js";
import type { ActivityDependencies } from "./dependencies.js";
import { readFailure } from "./github-faults.js";
import { storedProject } from "./pull-requests.js";

export interface Recovery {
  /** One for each required check that did not pass. */
  readonly checks: readonly CheckAnswer[];
  /** Why a rerun that is needed was not sent, or may not have been. */
  readonly refusals: readonly Refusal[];
}

export function recoveryActivities(dependencies: ActivityDependencies) {
  const { db, now } = dependencies;

  return {
    /**
     * Reads the head, its required checks, and the runs and jobs behind them (A8.2), and asks for one rerun of each
     * run that a rerun can cure. Key: the reservation of (run, attempt). A second call finds a newer attempt and sends
     * nothing, or finds the reservation and says that the reply is not known.
     */
    async recoverChecks(ask: {
      readonly project: string;
      readonly item: string;
      readonly pullRequest: number;
      readonly candidate: string;
      readonly gateBranch: string;
    }): Promise<Recovery> {
      const project = await storedProject(db, ask.project);
      const github = dependencies.github(project);
      const evidence = await github.headChecks(project, ask).catch((error: unknown) => {
        throw readFailure(error);
      });
      await settleOfTheDead(ask.item);
      const checks = recoverChecks(evidence, ask.candidate);
      const refusals = [...recoveryRefusals(ask.item, checks)];
      for (const wanted of reruns(checks)) {
        const withJobs = evidence.jobs.some(
          ({ run, attempt }) => run === wanted.run.id && attempt === wanted.run.attempt,
        );
        const refusal = await rerun(wanted, !withJobs);
        if (refusal !== null) refusals.push(refusal);
      }
      return { checks, refusals };

      /** Recoveries of an item follow each other: whoever left a request reserved is gone, and settles it no more. */
      async function settleOfTheDead(item: string): Promise<void> {
        for (const { key, kind, state } of await listReservations(db, { item })) {
          if (kind !== "rerun" || state !== "reserved") continue;
          await settle(db, { key, state: "uncertain", at: now() });
        }
      }

      async function rerun(
        { run, check, cause, url }: ReturnType<typeof reruns>[number],
        whole: boolean,
      ): Promise<Refusal | null> {
        const key = `rerun:${ask.project}:${run.id}:${run.attempt}`;
        const named = `run ${run.id} of ${run.workflow}, attempt ${run.attempt}`;
        const seen = { item: ask.item, check, run: String(run.id), url: url ?? "" };
        const uncertain = (why: string) =>
          refuse("rerun_uncertain", `A rerun of ${named} may have been accepted: ${why}.`, seen);
        const reservation = await reserve(db, {
          key,
          item: ask.item,
          kind: "rerun",
          detail: `${check} at ${ask.candidate}: ${named} was cancelled ${causeInWords[cause ?? "unknown"]}; ${url ?? ""}`,
          at: now(),
        });
        if (!reservation.reserved) {
          const { reservedAt } = reservation.existing;
          return uncertain(`it was requested at ${reservedAt}, and GitHub shows no newer attempt`);
        }
        try {
          await github.rerunWorkflow(project, { run: run.id, whole });
        } catch (error) {
          const fault = githubFault(error);
          if (fault === null) throw error;
          if (fault.kind === "uncertain") {
            await settle(db, { key, state: "uncertain", at: now() });
            return uncertain(fault.message);
          }
          await settle(db, { key, state: "released", at: now() });
          // GitHub says 403 both for a missing right and for a run that cannot be retried.
          return fault.kind === "no_access"
            ? refuse("rerun_refused", fault.message, seen)
            : githubRefusal(fault, "rerun_refused");
        }
        await settle(db, { key, state: "completed", at: now() });
        return null;
      }
    },
  };
}
