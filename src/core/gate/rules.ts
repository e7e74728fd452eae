/** What is enforced on a gate branch, in one shape for what is declared and for what GitHub has live (A2.1, A2.2). */

/** Parameters of a merge queue, in the words of GitHub's rulesets (REST). */
export interface QueueRule {
  readonly merge_method: "MERGE" | "SQUASH" | "REBASE";
  readonly grouping_strategy: "ALLGREEN" | "HEADGREEN";
  readonly check_response_timeout_minutes: number;
  readonly max_entries_to_build: number;
  readonly max_entries_to_merge: number;
  readonly min_entries_to_merge: number;
  readonly min_entries_to_merge_wait_minutes: number;
}

/** A required check; without `integration_id` anybody may report it. */
export interface RequiredCheck {
  readonly context: string;
  readonly integration_id: number | null;
}

export interface GateRules {
  /** Null: the branch has no merge queue. */
  readonly queue: QueueRule | null;
  readonly required_checks: readonly RequiredCheck[];
  /** A pull request must contain the base before it may merge. */
  readonly strict: boolean;
}

/** The rules that one ruleset sets on the branch. */
export interface RulesetRules extends GateRules {
  readonly ruleset: Ruleset;
}

export interface Ruleset {
  readonly nodeId: string;
  readonly name: string;
  /** Where it is kept: the repository, or its organization. */
  readonly source: string;
}

/** The rules that are live, or why that is not known. */
export type LiveRules =
  | { readonly read: "rules"; readonly rulesets: readonly RulesetRules[] }
  | { readonly read: "unreadable"; readonly why: string };

/** `.yoke/merge-queue.json` at one commit, as text, before anybody looked into it. */
export type DeclarationRead =
  | { readonly read: "text"; readonly text: string }
  | { readonly read: "absent" }
  | { readonly read: "unreadable"; readonly why: string };

export type Combined =
  | { readonly combined: true; readonly rules: GateRules }
  | { readonly combined: false; readonly why: string };

/** GitHub applies the rules of all rulesets: every required check of each, and strict when one says so. */
export function combine(rulesets: readonly RulesetRules[]): Combined {
  const queues = rulesets.flatMap(({ ruleset, queue }) =>
    queue === null ? [] : [{ ruleset, queue }],
  );
  const [first, ...others] = queues;
  const other = others.find(({ queue }) => !sameQueue(queue, first?.queue ?? null));
  if (first !== undefined && other !== undefined) {
    return {
      combined: false,
      why: `the rulesets "${first.ruleset.name}" and "${other.ruleset.name}" set different merge queues`,
    };
  }
  const checks = new Map<string, RequiredCheck>();
  for (const { required_checks } of rulesets)
    for (const check of required_checks) checks.set(checkName(check), check);
  return {
    combined: true,
    rules: {
      queue: first?.queue ?? null,
      required_checks: [...checks.values()],
      strict: rulesets.some(({ strict }) => strict),
    },
  };
}

/** `ci`, or `ci from app 15368`. */
export function checkName({ context, integration_id }: RequiredCheck): string {
  return integration_id === null ? context : `${context} from app ${integration_id}`;
}

export const queueKeys = [
  "merge_method",
  "grouping_strategy",
  "check_response_timeout_minutes",
  "max_entries_to_build",
  "max_entries_to_merge",
  "min_entries_to_merge",
  "min_entries_to_merge_wait_minutes",
] as const satisfies readonly (keyof QueueRule)[];

export function sameQueue(one: QueueRule | null, other: QueueRule | null): boolean {
  if (one === null || other === null) return one === other;
  return queueKeys.every((key) => one[key] === other[key]);
}
