/** `yoke merge item --wait`: stays with a landing that is under way, and reads the server's record of it (A1.5). */
import { describeChecks, duration } from "../../core/landing/describe.js";
import type { Outcome } from "../../functions/define.js";
import type { LandingViewOutput } from "../../functions/landing-view.js";
import { call } from "../call.js";
import { withPatience } from "../patience.js";
import { say } from "../print.js";

const pollMs = 1000;
/** A read that takes longer meets a server that is not well. */
const readWithinMs = 60_000;

export type Waited =
  | { readonly end: "landed" }
  /** The holder must act; the landing says on what. */
  | { readonly end: "stopped"; readonly landing: LandingViewOutput }
  /** The record cannot be read any more; nothing is said about the landing, which goes on. */
  | { readonly end: "lost"; readonly outcome: Extract<Outcome, { ok: false }> };

/** Queue position and time to merge are part of `why`. */
function progress({ label, why, checks, failedChecks }: LandingViewOutput): string {
  const more = [
    ...(checks === null ? [] : [describeChecks(checks)]),
    ...(failedChecks.length === 0 ? [] : [`failed: ${failedChecks.join(", ")}`]),
  ];
  return [`${label}: ${why}`, ...more].join("; ");
}

/**
 * Watches until the item landed or its holder must act; each change of what is seen is one line on standard error.
 * `episode` is that of the arming: a record of an earlier one has not caught up yet, and proves no stop. A server that
 * is away for less than `patience` seconds is waited for.
 */
export async function waitForLanding(
  item: string,
  episode: number,
  patience: number,
): Promise<Waited> {
  const began = Date.now();
  let said = "";
  for (;;) {
    const seen = await withPatience(patience, () =>
      call<{ landing: LandingViewOutput | null }>(
        "merge_queue.landing.observe",
        { item },
        AbortSignal.timeout(readWithinMs),
      ),
    );
    if (!seen.ok) return { end: "lost", outcome: seen };
    const { landing } = seen.output;
    if (landing !== null && landing.episode >= episode) {
      const line = progress(landing);
      if (line !== said) say(`[${duration((Date.now() - began) / 1000)}] ${line}`);
      said = line;
      if (landing.phase === "landed" || landing.phase === "closed_out") return { end: "landed" };
      if (landing.phase === "stopped" || landing.phase === "unarmed") {
        return { end: "stopped", landing };
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
