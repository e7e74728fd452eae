/** What stands against a lane because of the gate declaration, and which way out is right (A2.2, A2.3). */
import { refuse, type Refusal } from "../refusals.js";
import { differences, inWords, type Difference } from "./compare.js";
import { declarationPath, parseDeclaration } from "./declaration.js";
import {
  combine,
  type Combined,
  type DeclarationRead,
  type GateRules,
  type LiveRules,
} from "./rules.js";

/** What GitHub said of the gate branch. */
export interface GateReading {
  /** Head of the gate branch, null when it is not there. */
  readonly head: string | null;
  readonly declaration: DeclarationRead;
  readonly live: LiveRules;
}

export interface GateQuestion {
  readonly project: string;
  readonly item: string;
  readonly gateBranch: string;
  /** The lane's declaration at the candidate; absent from a command that is too old to read it. */
  readonly lane: DeclarationRead | undefined;
  readonly gate: GateReading;
}

/**
 * The lane is compared with what is live; only when it differs does the gate branch matter, since it says which of the
 * two is behind. Nothing declared on either side is nothing to hold anybody to.
 */
export function gateReasons(question: GateQuestion): readonly Refusal[] {
  const { gate } = question;
  const lane = question.lane ?? {
    read: "unreadable",
    why: "the command is older than the server and did not read it",
  };
  if (gate.declaration.read === "absent" && lane.read !== "text") return [];
  if (lane.read === "unreadable") return [unverified(question, `the lane's: ${lane.why}`)];
  const live = liveRules(gate.live);
  if (!live.combined) return [unverified(question, `the live rules: ${live.why}`)];
  if (lane.read === "text") {
    const declared = parseDeclaration(lane.text);
    if (!declared.valid) return [invalid(question, declared.problems)];
    const found = differences(declared.rules, live.rules);
    return found.length === 0 ? [] : [differing(question, live.rules, inWords(found), found)];
  }
  return [differing(question, live.rules, "the lane declares nothing", [])];
}

/** The combined live rules, or why they cannot be compared. */
export function liveRules(live: LiveRules): Combined {
  return live.read === "unreadable" ? { combined: false, why: live.why } : combine(live.rulesets);
}

function differing(
  question: GateQuestion,
  live: GateRules,
  how: string,
  found: readonly Difference[],
): Refusal {
  const { declaration } = question.gate;
  const seen = {
    ...about(question),
    ...Object.fromEntries(
      found.map(({ rule, declared, live: value }) => [rule, `declared ${declared}, live ${value}`]),
    ),
  };
  const lane = `The lane's ${declarationPath} differs from what GitHub enforces on \`${question.gateBranch}\`: ${how}.`;
  if (declaration.read === "unreadable") {
    return unverified(question, `that of the gate branch: ${declaration.why}`, lane);
  }
  if (declaration.read === "absent") {
    return unverified(question, "the gate branch has none", lane);
  }
  const gate = parseDeclaration(declaration.text);
  if (!gate.valid) {
    return unverified(question, `that of the gate branch: ${gate.problems.join("; ")}`, lane);
  }
  const gateFound = differences(gate.rules, live);
  if (gateFound.length === 0) {
    return refuse(
      "lane_declaration_stale",
      `${lane} \`${question.gateBranch}\` itself declares what is enforced.`,
      seen,
    );
  }
  return refuse(
    "gate_rules_differ",
    `${lane} \`${question.gateBranch}\` differs from it too: ${inWords(gateFound)}.`,
    seen,
  );
}

function unverified(question: GateQuestion, what: string, before = ""): Refusal {
  const message = `${before === "" ? "" : `${before} `}The declaration cannot be compared with what GitHub enforces on \`${question.gateBranch}\`; ${what}.`;
  return refuse("gate_declaration_unverified", message, about(question));
}

function invalid(question: GateQuestion, problems: readonly string[]): Refusal {
  return refuse(
    "merge_queue_declaration_invalid",
    `The lane's ${declarationPath} cannot be used: ${problems.join("; ")}.`,
    about(question),
  );
}

function about({ item, project, gateBranch }: GateQuestion) {
  return { item, project, gateBranch };
}
