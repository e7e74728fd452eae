/** What the holder of an item has to do now, from its landing: wait, act, close out, or nothing (A6.4, A10.6). */
import type { Item, LandingRecord } from "../core/records.js";

export type Duty = "awaiting_landing" | "must_act" | "owes_close_out" | "done";

export interface HolderDuty {
  readonly item: string;
  readonly duty: Duty;
  /** In words. */
  readonly why: string;
  readonly next: string | null;
}

/**
 * Only an armed open landing, which GitHub or yoke moves by itself, lets the holder wait. A held one is waiting too, but
 * for the holder: nobody arms it again otherwise.
 */
export function holderDuty(item: Item, record: LandingRecord | null): HolderDuty {
  const merge = `\`yoke merge item ${item.key}\``;
  const of = (duty: Duty, why: string, next: string | null): HolderDuty => ({
    item: item.key,
    duty,
    why,
    next,
  });
  if (record === null) {
    return item.status === "landed"
      ? of("done", `${item.key} has landed.`, null)
      : of(
          "must_act",
          `${item.key} is claimed and nothing of it was armed.`,
          `Land it with ${merge}, or give it back with \`yoke claim ${item.key} --release\`.`,
        );
  }
  const { state, why } = record;
  switch (state.phase) {
    case "pending":
    case "waiting_reentry":
      return of("awaiting_landing", `${item.key}: ${why}.`, null);
    case "landed":
      if (state.wrongTree !== undefined) return of("done", `${item.key}: ${why}.`, null);
      return of(
        "owes_close_out",
        `${item.key} was merged by GitHub and is not closed out.`,
        `Close it out with ${merge}.`,
      );
    case "closed_out":
      return of("done", `${item.key} has landed and is closed out.`, null);
    case "stopped":
      return of(
        "must_act",
        `${item.key} stopped: ${state.stop?.message ?? why}`,
        state.stop?.next ?? `Run ${merge}.`,
      );
    case "held":
      return of(
        "must_act",
        `${item.key} is held and nothing arms it again by itself.`,
        `Run ${merge} when the reason for the hold is gone, or give it back with \`yoke claim ${item.key} --release\`.`,
      );
    case "unarmed":
    case "closed":
      return of(
        "must_act",
        `${item.key} has pull request ${state.pullRequest?.number ?? "none"} and was not armed.`,
        `Arm it with ${merge}, or give it back with \`yoke claim ${item.key} --release\`.`,
      );
  }
}
