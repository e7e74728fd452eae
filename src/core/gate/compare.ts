/** Each rule in which a declaration differs from what is live, with both values (A2.2). */
import { checkName, queueKeys, type GateRules } from "./rules.js";

export interface Difference {
  /** As the declaration spells it: `queue.merge_method`, `required_checks.ci`, `strict`. */
  readonly rule: string;
  readonly declared: string;
  readonly live: string;
}

/** In the order of the declaration; the order of required checks says nothing. */
export function differences(declared: GateRules, live: GateRules): readonly Difference[] {
  return [
    ...queueDifferences(declared.queue, live.queue),
    ...checkDifferences(declared, live),
    ...unless(declared.strict === live.strict, {
      rule: "strict",
      declared: String(declared.strict),
      live: String(live.strict),
    }),
  ];
}

function queueDifferences(
  declared: GateRules["queue"],
  live: GateRules["queue"],
): readonly Difference[] {
  if (declared === null || live === null) {
    const said = (queue: GateRules["queue"]) =>
      queue === null ? "no merge queue" : `a merge queue by ${queue.merge_method}`;
    return unless(declared === live, {
      rule: "queue",
      declared: said(declared),
      live: said(live),
    });
  }
  return queueKeys.flatMap((key) =>
    unless(declared[key] === live[key], {
      rule: `queue.${key}`,
      declared: String(declared[key]),
      live: String(live[key]),
    }),
  );
}

/** A check of another source is another rule, so it shows as one that is missing and one that is too many. */
function checkDifferences(declared: GateRules, live: GateRules): readonly Difference[] {
  const inDeclared = new Set(declared.required_checks.map(checkName));
  const inLive = new Set(live.required_checks.map(checkName));
  return [...new Set([...inDeclared, ...inLive])].flatMap((name) =>
    unless(inDeclared.has(name) === inLive.has(name), {
      rule: `required_checks.${name}`,
      declared: inDeclared.has(name) ? "required" : "not required",
      live: inLive.has(name) ? "required" : "not required",
    }),
  );
}

function unless(same: boolean, difference: Difference): readonly Difference[] {
  return same ? [] : [difference];
}

/** One clause for each rule, both values. */
export function inWords(found: readonly Difference[]): string {
  return found
    .map(({ rule, declared, live }) => `${rule}: declared ${declared}, live ${live}`)
    .join("; ");
}
