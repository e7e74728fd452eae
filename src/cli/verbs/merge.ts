/** `yoke merge item`: one re-entrant command (A1). */
import { randomUUID } from "node:crypto";
import { EXIT } from "../../core/refusals.js";
import type { LandingViewOutput } from "../../functions/landing-view.js";
import { call } from "../call.js";
import { findLane } from "../lane.js";
import { fields, report, say } from "../print.js";

export interface MergeOptions {
  readonly result?: string;
  readonly verification?: string;
  readonly lane?: string;
  readonly wait?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface MergeOutput {
  readonly outcome: "landing_pending" | "landed" | "would_arm";
  readonly landing?: LandingViewOutput;
  readonly next?: string;
  readonly call?: string;
  readonly candidate?: string;
  readonly receipt?: { readonly mergeCommit: string; readonly carriedBy: string | null };
  readonly lane?: {
    readonly removed: boolean;
    readonly why: string | null;
    readonly next: string | null;
  } | null;
}

const pollMs = 1000;

function told(output: MergeOutput): string {
  const { landing, receipt, lane } = output;
  switch (output.outcome) {
    case "would_arm":
      return fields({ would_send: output.call ?? "", candidate: output.candidate ?? "" });
    case "landing_pending":
      return fields({
        landing_pending: true,
        landing: `landing:${landing?.item ?? ""}`,
        pull_request: landing?.url ?? landing?.pullRequest ?? "",
        head: landing?.candidate ?? "",
        why: landing?.why ?? "",
        next: output.next ?? "",
      });
    case "landed":
      return fields({
        landed: true,
        pull_request: landing?.url ?? landing?.pullRequest ?? "",
        merge_commit: receipt?.mergeCommit ?? "",
        carried_by: receipt?.carriedBy ?? "",
        lane:
          lane === null || lane === undefined
            ? "-"
            : lane.removed
              ? "removed"
              : `kept: ${lane.why ?? ""}`,
      });
  }
}

async function ask(item: string, options: MergeOptions) {
  const found = await findLane(item, options.lane);
  if (!found.ok) return found;
  return call<MergeOutput>("merge.item", {
    item,
    ...found.output,
    result: options.result ?? null,
    verification: options.verification ?? null,
    dryRun: options.dryRun ?? false,
    requestId: randomUUID(),
  });
}

/** Watches the server's record until the item landed or the holder must act (A1.5). */
async function watch(item: string): Promise<"landed" | "stopped" | "lost"> {
  const began = Date.now();
  let said = "";
  for (;;) {
    const seen = await call<{ landing: LandingViewOutput | null }>("merge_queue.landing.observe", {
      item,
    });
    if (!seen.ok) {
      report("merge item", seen, {}, () => "");
      return "lost";
    }
    const { landing } = seen.output;
    const line = landing === null ? "no landing" : `${landing.label}: ${landing.why}`;
    if (line !== said) say(`[${Math.round((Date.now() - began) / 1000)} s] ${line}`);
    said = line;
    if (landing?.phase === "landed" || landing?.phase === "closed_out") return "landed";
    if (landing?.phase === "stopped" || landing?.phase === "unarmed") {
      if (landing.next !== null) say(`Next: ${landing.next}`);
      return "stopped";
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

export async function mergeItem(item: string, options: MergeOptions): Promise<void> {
  const interrupted = () => {
    say(`The landing of ${item} goes on. \`yoke merge item ${item}\` takes it up again.`);
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  let answer = await ask(item, options);
  if (options.wait === true && answer.ok && answer.output.outcome === "landing_pending") {
    say(`armed; waiting for ${item} to land (Ctrl-C leaves the landing as it is)`);
    const end = await watch(item);
    if (end !== "landed") {
      process.exitCode = EXIT.refused;
      return;
    }
    answer = await ask(item, options);
  }
  process.off("SIGINT", interrupted);
  report("merge item", answer, options, told);
}
