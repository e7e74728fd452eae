/** `github.merge_queue.apply`: makes the gate branch's declaration live. The only thing that writes rulesets (A2.4). */
import { z } from "zod";
import { githubFault, githubRefusal } from "../core/github-fault.js";
import { ownRulesetName, planRules, type Plan } from "../core/gate/plan.js";
import type { Project } from "../core/records.js";
import { refuse, type Refusal } from "../core/refusals.js";
import { Refused, type FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { compareGate, differenceShape, readGate, type ComparedGate } from "./gate-of-project.js";
import { oid, projectKey } from "./input-shapes.js";
import { storedProject } from "./stored.js";

/** Readings after the write, and the time between them: reads may lag writes (github-facts 4.24). */
const readings = 4;
const betweenMs = 500;

const checkout = z.object({
  path: z.string(),
  branch: z.string().nullable(),
  head: oid,
  dirty: z.array(z.string()),
});

export const githubMergeQueueApply = defineFunction({
  name: "github.merge_queue.apply",
  since: "0.2.0",
  summary: "Make the rules that the gate branch declares live, from an up-to-date checkout of it.",
  effect: "write",
  input: z.strictObject({
    project: projectKey,
    /** The checkout the command was run in, as git read it. */
    checkout,
    dryRun: z.boolean().default(false),
  }),
  output: z.object({
    project: z.string(),
    gateBranch: z.string(),
    head: z.string().nullable(),
    action: z.enum(["none", "create", "update"]),
    ruleset: z.string(),
    changes: z.array(differenceShape),
    /** The rules were written, and GitHub was read afterwards and shows them. */
    applied: z.boolean(),
  }),
  async run(context, input) {
    const project = await storedProject(context, input.project);
    const gate = await readGate(context, project);
    const against = checkoutReasons(project, input.checkout, gate.head);
    if (against.length > 0) throw new Refused(against);
    const compared = compareGate(project, gate);
    const name = ownRulesetName(project.gateBranch);
    const own = await context.github(project).findRuleset(project, { name });
    const plan = planned(project, compared, own);
    const write = plan.action !== "none" && !input.dryRun;
    if (write) await apply(context, project, compared, plan, own);
    return {
      project: project.key,
      gateBranch: project.gateBranch,
      head: gate.head,
      action: plan.action,
      ruleset: plan.ruleset,
      changes: [...plan.changes],
      applied: write,
    };
  },
});

/** A stale checkout would change the rules for every pull request (A2.2). */
function checkoutReasons(
  { key, gateBranch }: Project,
  { path, branch, head, dirty }: z.output<typeof checkout>,
  gateHead: string | null,
): readonly Refusal[] {
  const seen = { project: key, gateBranch, path };
  return [
    ...(branch === gateBranch
      ? []
      : [
          refuse(
            "gate_checkout_elsewhere",
            `${path} is ${branch === null ? "on no branch" : `on \`${branch}\``}; the gate branch is \`${gateBranch}\`.`,
            seen,
          ),
        ]),
    ...(dirty.length === 0
      ? []
      : [refuse("gate_checkout_dirty", `${path} is not clean: ${dirty.join(", ")}.`, seen)]),
    ...(head === gateHead
      ? []
      : [
          refuse(
            "gate_checkout_outdated",
            `${path} is at ${head}; on GitHub \`${gateBranch}\` is ${gateHead === null ? "not there" : `at ${gateHead}`}.`,
            seen,
          ),
        ]),
  ];
}

type Possible = Extract<Plan, { readonly can: true }>;

function planned(project: Project, compared: ComparedGate, own: string | null): Possible {
  const { gateBranch } = project;
  const { declared, rulesets: live } = compared;
  const plan = planRules({ gateBranch, declared, live, own });
  if (plan.can) return plan;
  throw new Refused([
    refuse(
      "gate_rules_elsewhere",
      `The rules of \`${gateBranch}\` cannot become what is declared: ${plan.against.join("; ")}.`,
      { project: project.key, gateBranch },
    ),
  ]);
}

/**
 * Writes once, and reads until the declared rules are live. A lost reply is settled by that reading: the write says what
 * the ruleset is to hold, and GitHub keeps names unique, so one that happened twice is one.
 */
async function apply(
  context: FunctionContext,
  project: Project,
  compared: ComparedGate,
  plan: Possible,
  own: string | null,
): Promise<void> {
  const { key, gateBranch } = project;
  const seen = { project: key, gateBranch, ruleset: plan.ruleset };
  let lost = "";
  try {
    await context.github(project).writeRuleset({
      repositoryNodeId: compared.gate.repositoryNodeId,
      nodeId: own,
      name: plan.ruleset,
      branch: gateBranch,
      rules: plan.rules,
    });
  } catch (error) {
    const fault = githubFault(error);
    if (fault === null) throw error;
    // Refused because somebody else wrote the same in this moment: what counts is what is live.
    if (fault.kind === "refused" && (await isLive(context, project))) return;
    if (fault.kind !== "uncertain") {
      const { code, message, next } = githubRefusal(fault, "gate_rules_refused");
      throw new Refused([
        refuse(code, message, seen, code === "gate_rules_refused" ? undefined : next),
      ]);
    }
    lost = ` The reply was lost: ${fault.message}.`;
  }
  for (let reading = 1; reading <= readings; reading += 1) {
    if (reading > 1) await new Promise((resolve) => setTimeout(resolve, betweenMs));
    if (await isLive(context, project)) return;
  }
  const message = `GitHub does not show the declared rules as live after the ruleset "${plan.ruleset}" was written.${lost}`;
  throw new Refused([refuse("gate_rules_unconfirmed", message, seen)]);
}

/** A reading that fails confirms nothing. */
async function isLive(context: FunctionContext, project: Project): Promise<boolean> {
  try {
    return compareGate(project, await readGate(context, project)).differences.length === 0;
  } catch (error) {
    if (error instanceof Refused || githubFault(error) !== null) return false;
    throw error;
  }
}
