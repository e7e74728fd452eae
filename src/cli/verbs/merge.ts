/** `yoke merge item`: one re-entrant command (A1). */
import { randomUUID } from "node:crypto";
import { EXIT, refuse } from "../../core/refusals.js";
import type { Outcome } from "../../functions/define.js";
import type { LandingViewOutput } from "../../functions/landing-view.js";
import { call, refused } from "../call.js";
import { findLane } from "../lane.js";
import { withPatience } from "../patience.js";
import { fields, report, say } from "../print.js";
import { waitForLanding } from "./merge-wait.js";

export interface MergeOptions {
  readonly result?: string;
  readonly verification?: string;
  readonly lane?: string;
  readonly wait?: boolean;
  /** Seconds, as they were entered. */
  readonly patience?: string;
  readonly dryRun?: boolean;
  /** `TEST: why the change cannot explain the failure`. */
  readonly retryFlake?: string;
  readonly json?: boolean;
}

interface MergeOutput {
  readonly outcome: "landing_pending" | "landed" | "would_arm" | "stopped";
  readonly landing?: LandingViewOutput;
  readonly next?: string;
  readonly checks?: readonly {
    readonly check: string;
    readonly answer: string;
    readonly why: string;
  }[];
  readonly call?: string;
  readonly candidate?: string;
  readonly receipt?: { readonly mergeCommit: string; readonly carriedBy: string | null };
  readonly lane?: {
    readonly removed: boolean;
    readonly why: string | null;
    readonly next: string | null;
  } | null;
  readonly remoteBranch?: {
    readonly deleted: boolean;
    readonly why: string;
    readonly next: string | null;
  } | null;
}

/** A restart of the server takes seconds, an upgrade a few minutes. */
const defaultPatience = "300";

/** First release whose servers know `merge.retry_flake`; said without loading the functions, which are slow to load. */
const retryFlakeSince = "0.2.0";

/** As a shell has it for a program that SIGINT ended. */
const interruptedExit = 130;

function told(output: MergeOutput): string {
  const { landing, receipt, lane, remoteBranch } = output;
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
        ...((output.checks ?? []).length === 0 ? {} : { checks: output.checks }),
        next: output.next ?? "",
      });
    case "stopped":
      return fields({
        stopped: true,
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
        ...(remoteBranch === null || remoteBranch === undefined
          ? {}
          : {
              remote_branch: remoteBranch.deleted
                ? `deleted: ${remoteBranch.why}`
                : `kept: ${remoteBranch.why}`,
            }),
      });
  }
}

async function ask(item: string, options: MergeOptions): Promise<Outcome<MergeOutput>> {
  const found = await findLane(item, options.lane);
  if (!found.ok) return found;
  const { lane, host, remote } = found.output;
  const input = {
    item,
    lane,
    host,
    remote,
    result: options.result ?? null,
    verification: options.verification ?? null,
    dryRun: options.dryRun ?? false,
    requestId: randomUUID(),
  };
  const { retryFlake } = options;
  const answer =
    retryFlake === undefined
      ? await call<MergeOutput>("merge.item", input)
      : await call<MergeOutput>(
          "merge.retry_flake",
          { ...input, retryFlake },
          null,
          retryFlakeSince,
        );
  // The server cannot know why it was given no lane.
  const needsLane = !answer.ok && answer.refusals.some(({ code }) => code === "lane_unknown");
  return needsLane && found.output.lane === null ? refused(found.output.missing) : answer;
}

/** A landing that cannot go on without its holder, as the answer of a command that waited for it. */
function stopped(landing: LandingViewOutput): Outcome<MergeOutput> {
  const output = {
    outcome: "stopped",
    landing_pending: false,
    landing,
    next: landing.next ?? `\`yoke explain ${landing.item}\` says what stands in its way.`,
  } as const;
  return { ok: true, output, exit: EXIT.refused };
}

/** The answer of `merge.item`; with `--wait`, the one that ends the wait. */
async function answerOf(
  item: string,
  options: MergeOptions,
  armed: () => void,
): Promise<Outcome<MergeOutput>> {
  const entered = options.patience ?? defaultPatience;
  const patience = Number(entered);
  if (!/^\d+$/.test(entered))
    return refused(refuse("input_invalid", `--patience: ${entered} is no number of seconds.`));
  const first = await ask(item, options);
  if (!first.ok || first.output.outcome !== "landing_pending") return first;
  armed();
  if (options.wait !== true) return first;
  say(`armed; waiting for ${item} to land (Ctrl-C leaves the landing as it is)`);
  const waited = await waitForLanding(item, first.output.landing?.episode ?? 0, patience);
  switch (waited.end) {
    case "landed":
      return withPatience(patience, () => ask(item, options));
    case "stopped":
      return stopped(waited.landing);
    case "lost":
      say(`The landing of ${item} goes on. \`yoke merge item ${item}\` takes it up again.`);
      return waited.outcome;
  }
}

export async function mergeItem(item: string, options: MergeOptions): Promise<void> {
  let armed = false;
  const interrupted = () => {
    say(
      armed
        ? `The landing of ${item} goes on. \`yoke merge item ${item}\` takes it up again.`
        : `Nothing was answered yet; whatever began goes on. \`yoke explain ${item}\` says where it stands.`,
    );
    process.exit(interruptedExit);
  };
  process.once("SIGINT", interrupted);
  const answer = await answerOf(item, options, () => (armed = true));
  process.off("SIGINT", interrupted);
  report("merge item", answer, options, told);
}
