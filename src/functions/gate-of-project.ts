/** The gate branch of a project: its declaration and its live rules, read now and compared (A2.4). */
import { z } from "zod";
import { differences } from "../core/gate/compare.js";
import { declarationPath, parseDeclaration } from "../core/gate/declaration.js";
import { liveRules } from "../core/gate/gate-reasons.js";
import type { GateRules, RulesetRules } from "../core/gate/rules.js";
import type { Project } from "../core/records.js";
import { refuse, type Refusal } from "../core/refusals.js";
import type { GateBranch } from "../github/port.js";
import { Refused, type FunctionContext } from "./context.js";

export const differenceShape = z.object({
  rule: z.string(),
  declared: z.string(),
  live: z.string(),
});

export interface ComparedGate {
  readonly gate: GateBranch;
  readonly declared: GateRules;
  readonly rulesets: readonly RulesetRules[];
  readonly differences: readonly z.infer<typeof differenceShape>[];
}

export function readGate(context: FunctionContext, project: Project): Promise<GateBranch> {
  return context.github(project).gateBranch(project, project.gateBranch);
}

/** Throws `Refused` when the branch declares nothing that can be used, or its rules cannot be read. */
export function compareGate(project: Project, gate: GateBranch): ComparedGate {
  const { gateBranch, key } = project;
  const seen = { gateBranch, project: key };
  const { declaration } = gate;
  if (declaration.read === "absent") {
    throw refused(
      refuse(
        "merge_queue_declaration_missing",
        `\`${gateBranch}\` has no ${declarationPath}.`,
        seen,
      ),
    );
  }
  if (declaration.read === "unreadable") throw unverified(declaration.why, seen);
  const parsed = parseDeclaration(declaration.text);
  if (!parsed.valid) {
    throw refused(
      refuse(
        "merge_queue_declaration_invalid",
        `${declarationPath} of \`${gateBranch}\` cannot be used: ${parsed.problems.join("; ")}.`,
        seen,
      ),
    );
  }
  const live = liveRules(gate.live);
  if (gate.live.read === "unreadable" || !live.combined) {
    throw unverified(live.combined ? "" : live.why, seen);
  }
  return {
    gate,
    declared: parsed.rules,
    rulesets: gate.live.rulesets,
    differences: differences(parsed.rules, live.rules),
  };
}

function unverified(why: string, seen: Readonly<Record<string, string>>): Refused {
  return refused(
    refuse(
      "gate_declaration_unverified",
      `The declaration of \`${seen["gateBranch"] ?? ""}\` cannot be compared with what GitHub enforces: ${why}.`,
      seen,
      "Restore read access to the repository's rules and a readable declaration on `{gateBranch}`, then run the command again.",
    ),
  );
}

function refused(...refusals: readonly Refusal[]): Refused {
  return new Refused(refusals);
}
