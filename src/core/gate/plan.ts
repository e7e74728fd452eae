/** What `yoke github merge-queue apply` would change, as data (A2.4). It changes the ruleset of its own and no other. */
import { differences, type Difference } from "./compare.js";
import { checkName, combine, sameQueue, type GateRules, type RulesetRules } from "./rules.js";

/** Name of the one ruleset that yoke writes for a gate branch. */
export function ownRulesetName(gateBranch: string): string {
  return `yoke: ${gateBranch}`;
}

export type Plan =
  | {
      readonly can: true;
      readonly action: "none" | "create" | "update";
      readonly ruleset: string;
      /** What the own ruleset holds afterwards. */
      readonly rules: GateRules;
      /** How the live rules change. */
      readonly changes: readonly Difference[];
    }
  /** Other rulesets stand against it; each line names one and the rule. */
  | { readonly can: false; readonly against: readonly string[] };

export function planRules(given: {
  readonly gateBranch: string;
  readonly declared: GateRules;
  /** Active rulesets of the branch. */
  readonly live: readonly RulesetRules[];
  /** Node id of the own ruleset, whether or not it is active; null when there is none. */
  readonly own: string | null;
}): Plan {
  const { gateBranch, declared, live, own } = given;
  const others = live.filter(({ ruleset }) => ruleset.nodeId !== own);
  const against = others.flatMap((one) => conflicts(declared, one));
  const all = combine(live);
  if (against.length > 0) return { can: false, against };
  const rules = missing(declared, others);
  const now = live.find(({ ruleset }) => ruleset.nodeId === own) ?? null;
  return {
    can: true,
    action: action(own, now, rules),
    ruleset: ownRulesetName(gateBranch),
    rules,
    changes: all.combined ? differences(declared, all.rules) : [],
  };
}

/** Rules of another ruleset that the declaration does not have: no ruleset can take them back. */
function conflicts(declared: GateRules, { ruleset, ...rules }: RulesetRules): readonly string[] {
  const name = `the ruleset "${ruleset.name}" of ${ruleset.source}`;
  const wanted = new Set(declared.required_checks.map(checkName));
  return [
    ...(rules.queue === null || sameQueue(rules.queue, declared.queue)
      ? []
      : [`${name} sets another merge queue`]),
    ...rules.required_checks
      .map(checkName)
      .filter((check) => !wanted.has(check))
      .map((check) => `${name} requires ${check}, which is not declared`),
    ...(rules.strict && !declared.strict ? [`${name} is strict`] : []),
  ];
}

/** What the others do not enforce yet. Checks are repeated as a whole: twice required is required once. */
function missing(declared: GateRules, others: readonly RulesetRules[]): GateRules {
  const there = new Set(others.flatMap(({ required_checks }) => required_checks.map(checkName)));
  const covered =
    declared.required_checks.every((check) => there.has(checkName(check))) &&
    declared.strict === others.some(({ strict }) => strict);
  return {
    queue: others.some(({ queue }) => queue !== null) ? null : declared.queue,
    required_checks: covered ? [] : declared.required_checks,
    strict: covered ? false : declared.strict,
  };
}

function action(own: string | null, now: GateRules | null, rules: GateRules) {
  const nothing = { queue: null, required_checks: [], strict: false };
  if (differences(rules, now ?? nothing).length === 0) return "none";
  return own === null ? "create" : "update";
}
