/** `.yoke/merge-queue.json`: the rules a repository declares for its gate branch (A2.1). */
import { z } from "zod";
import { checkName, type GateRules } from "./rules.js";

export const declarationPath = ".yoke/merge-queue.json";

const between = (least: number, most: number) =>
  z
    .int(`expected a whole number from ${least} to ${most}`)
    .min(least, `expected a whole number from ${least} to ${most}`)
    .max(most, `expected a whole number from ${least} to ${most}`);
const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, `expected one of ${values.join(", ")}`);
const unknownKeys = (known: string) => ({
  error: (issue: { readonly code?: string; readonly input?: unknown }) =>
    issue.code === "unrecognized_keys" ? `knows only ${known}` : "expected an object",
});

/** Ranges as GitHub has them for the rule `merge_queue` (github-facts 1.2). */
const queue = z.strictObject(
  {
    merge_method: oneOf("MERGE", "SQUASH", "REBASE"),
    grouping_strategy: oneOf("ALLGREEN", "HEADGREEN"),
    check_response_timeout_minutes: between(1, 360),
    max_entries_to_build: between(0, 100),
    max_entries_to_merge: between(0, 100),
    min_entries_to_merge: between(0, 100),
    min_entries_to_merge_wait_minutes: between(0, 360),
  },
  unknownKeys("the parameters of GitHub's rule merge_queue"),
);

const check = z.strictObject(
  {
    context: z.string("expected the name of a check").min(1, "expected the name of a check"),
    /** -1 is refused by GitHub: whoever binds no App leaves it out (github-facts 4.38). */
    integration_id: z
      .int("expected the id of a GitHub App, or null for any source")
      .positive("expected the id of a GitHub App, or null for any source")
      .nullable()
      .default(null),
  },
  unknownKeys("context and integration_id"),
);

const declaration = z.strictObject(
  {
    queue: queue.nullable(),
    required_checks: z
      .array(check, "expected a list of required checks")
      .superRefine((checks, issues) => {
        const seen = new Set<string>();
        checks.forEach((one, at) => {
          const name = checkName(one);
          if (seen.has(name))
            issues.addIssue({ code: "custom", path: [at], message: `repeats ${name}` });
          seen.add(name);
        });
      }),
    strict: z.boolean("expected true or false"),
  },
  unknownKeys("queue, required_checks and strict"),
);

export type DeclarationParsed =
  | { readonly valid: true; readonly rules: GateRules }
  /** One line for each wrong key, in the order of the file. */
  | { readonly valid: false; readonly problems: readonly string[] };

export function parseDeclaration(text: string): DeclarationParsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { valid: false, problems: [`the file is not JSON: ${why}`] };
  }
  const parsed = declaration.safeParse(value, { reportInput: true });
  return parsed.success
    ? { valid: true, rules: parsed.data }
    : { valid: false, problems: parsed.error.issues.flatMap(problems) };
}

/** An unknown key is named itself; a key that is not there is told apart from one that is wrong. */
function problems(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map(
      (key) => `\`${at([...issue.path, key])}\` is not a key: ${issue.message}`,
    );
  }
  const what = issue.path.length === 0 ? "the file" : `\`${at(issue.path)}\``;
  if (issue.code === "custom") return [`${what} ${issue.message}`];
  if (issue.input === undefined) return [`${what} is missing: ${issue.message}`];
  return [`${what} is ${JSON.stringify(issue.input)}: ${issue.message}`];
}

/** `required_checks[0].context` */
function at(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}
