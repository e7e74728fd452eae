/** Whether a gate branch is ready to take landings: one line for each thing that could stand in the way (A2.4-A2.6). */
import { differences, inWords } from "./compare.js";
import { declarationPath, parseDeclaration } from "./declaration.js";
import { liveRules, type GateReading } from "./gate-reasons.js";
import { neverReported, reports, type GroupReport } from "./reporting.js";
import { checkName } from "./rules.js";

export interface ReadinessLine {
  readonly name: "queue" | "merge method" | "declaration" | "required checks" | "auto-merge";
  /** `unknown`: it could not be read, or nothing proves it yet. */
  readonly state: "ok" | "fail" | "unknown";
  readonly text: string;
  readonly next: string | null;
}

export interface ReadinessInput {
  readonly project: string;
  readonly gateBranch: string;
  readonly gate: GateReading;
  readonly queueEnabled: boolean;
  readonly autoMergeAllowed: boolean;
  /** Null when they could not be read. */
  readonly groups: readonly GroupReport[] | null;
}

export function readiness(input: ReadinessInput): readonly ReadinessLine[] {
  return [
    queueLine(input),
    ...methodLine(input),
    declarationLine(input),
    checksLine(input),
    autoMergeLine(input),
  ];
}

function queueLine({ gateBranch, queueEnabled }: ReadinessInput): ReadinessLine {
  return queueEnabled
    ? ok("queue", `\`${gateBranch}\` has a merge queue.`)
    : fail(
        "queue",
        `\`${gateBranch}\` has no merge queue.`,
        `Declare one in ${declarationPath} and apply it, or ask an administrator to require one.`,
      );
}

function methodLine({ gate }: ReadinessInput): readonly ReadinessLine[] {
  const live = liveRules(gate.live);
  const method = live.combined ? live.rules.queue?.merge_method : undefined;
  if (method === undefined) return [];
  return [
    method === "MERGE"
      ? ok("merge method", "The queue merges, so the verified commit gets into the branch.")
      : fail(
          "merge method",
          `The queue merges by ${method.toLowerCase()}, so the verified commit never gets into the branch.`,
          "Ask an administrator of the repository to set the queue's merge method to merge.",
        ),
  ];
}

function declarationLine({ project, gateBranch, gate }: ReadinessInput): ReadinessLine {
  const { declaration } = gate;
  if (declaration.read === "absent") {
    return ok("declaration", `\`${gateBranch}\` declares no rules; none are compared.`);
  }
  if (declaration.read === "unreadable") {
    return unknown("declaration", `${declarationPath} cannot be read: ${declaration.why}.`);
  }
  const parsed = parseDeclaration(declaration.text);
  if (!parsed.valid) {
    const text = `${declarationPath} cannot be used: ${parsed.problems.join("; ")}.`;
    return fail("declaration", text, "Correct the keys named here on the gate branch.");
  }
  const live = liveRules(gate.live);
  if (!live.combined) {
    return unknown("declaration", `The live rules cannot be compared: ${live.why}.`);
  }
  const found = differences(parsed.rules, live.rules);
  return found.length === 0
    ? ok("declaration", `What \`${gateBranch}\` declares is what GitHub enforces.`)
    : fail(
        "declaration",
        `What \`${gateBranch}\` declares differs from what GitHub enforces: ${inWords(found)}.`,
        `Run \`yoke github merge-queue apply --project ${project}\` from an up-to-date checkout of \`${gateBranch}\`.`,
      );
}

function checksLine({ gate, groups }: ReadinessInput): ReadinessLine {
  const live = liveRules(gate.live);
  if (!live.combined) return unknown("required checks", `They cannot be read: ${live.why}.`);
  const { required_checks: required } = live.rules;
  if (required.length === 0) {
    return fail(
      "required checks",
      "No check is required, so the queue merges whatever is put into it.",
      "Require at least one check that runs on `merge_group`.",
    );
  }
  if (groups === null) return unknown("required checks", "What groups reported cannot be read.");
  const silent = neverReported(live.rules, groups).map(checkName);
  if (silent.length > 0) {
    return fail(
      "required checks",
      `Never reported on a group, though one waited for it until the timeout: ${silent.join(", ")}.`,
      "Have what reports them run on `merge_group` too, or no longer require them.",
    );
  }
  const unseen = required
    .filter((check) => !groups.some((group) => reports(group, check)))
    .map(checkName);
  return unseen.length > 0
    ? unknown("required checks", `Not seen on a group yet: ${unseen.join(", ")}.`)
    : ok("required checks", `Reported on groups: ${required.map(checkName).join(", ")}.`);
}

function autoMergeLine({ autoMergeAllowed }: ReadinessInput): ReadinessLine {
  return autoMergeAllowed
    ? ok("auto-merge", "The repository allows auto-merge.")
    : fail(
        "auto-merge",
        "The repository does not allow auto-merge, so nothing can be armed before its checks passed.",
        "Ask an administrator to switch on `Allow auto-merge` in the repository's settings.",
      );
}

function ok(name: ReadinessLine["name"], text: string): ReadinessLine {
  return { name, state: "ok", text, next: null };
}

function unknown(name: ReadinessLine["name"], text: string): ReadinessLine {
  return { name, state: "unknown", text, next: null };
}

function fail(name: ReadinessLine["name"], text: string, next: string): ReadinessLine {
  return { name, state: "fail", text, next };
}
