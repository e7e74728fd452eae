/** A landing as functions answer with it: the summary of core, as a shape. */
import { z } from "zod";
import type { LandingState } from "../core/landing/model.js";
import type { LandingRecord } from "../core/records.js";
import { landingView } from "../core/landing/view.js";

export const landingViewSchema = z.object({
  item: z.string(),
  phase: z.enum([
    "unarmed",
    "pending",
    "waiting_reentry",
    "held",
    "stopped",
    "landed",
    "closed_out",
    "closed",
  ]),
  /** The phase in words. */
  label: z.string(),
  episode: z.number(),
  pullRequest: z.number().nullable(),
  url: z.string().nullable(),
  candidate: z.string().nullable(),
  head: z.string().nullable(),
  /** Place in the queue, first is 1. */
  position: z.number().nullable(),
  entryState: z.string().nullable(),
  /** Seconds to merge, as GitHub estimates. */
  etaSeconds: z.number().nullable(),
  /** Of the group commit once there is one, before that of the head; null when not known. */
  checks: z
    .object({
      of: z.enum(["group", "head"]),
      passed: z.number(),
      failed: z.number(),
      running: z.number(),
      /** Of those, the ones that no runner took yet; not there when there are none. */
      notStarted: z.number().optional(),
    })
    .nullable(),
  mergeState: z.string().nullable(),
  failedChecks: z.array(z.string()).readonly(),
  mergeCommit: z.string().nullable(),
  why: z.string(),
  next: z.string().nullable(),
  /** GitHub's time of the newest reading. */
  readAt: z.string().nullable(),
});

export type LandingViewOutput = z.output<typeof landingViewSchema>;

export function viewOf(state: LandingState, why: string): LandingViewOutput {
  return landingView(state, why);
}

/** Of a record, whose newest reading the landing may not have been woken for. */
export function viewOfRecord({ state, why, observation }: LandingRecord): LandingViewOutput {
  return landingView(state, why, observation);
}
