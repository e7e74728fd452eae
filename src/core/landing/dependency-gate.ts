/** The dependency gate (A3): what must land first, and no circles. */
import type { Predecessor } from "../records.js";
import { refuse, type Refusal } from "../refusals.js";

export type DependencyGate =
  { readonly clear: true } | { readonly clear: false; readonly refusal: Refusal };

/**
 * Clear when every declared predecessor has landed, whether or not it is in the queue (A3.1). Otherwise one refusal
 * that names each one that has not, with its status (A3.2).
 */
export function dependencyGate(item: string, predecessors: readonly Predecessor[]): DependencyGate {
  const waiting = predecessors.filter(({ status }) => status !== "landed");
  if (waiting.length === 0) return { clear: true };
  const list = waiting
    .map(({ item, title, status }) => `${item} "${title}" (${status})`)
    .join(", ");
  return {
    clear: false,
    refusal: refuse(
      "integration_dependency_blocked",
      `${item} must land after ${list}. Nothing was armed.`,
      { item, ...Object.fromEntries(waiting.map(({ item, status }) => [item, status])) },
    ),
  };
}

/** `item` lands after `after`. */
export interface Dependency {
  readonly item: string;
  readonly after: string;
}

/**
 * The circle that the new dependency "`from` lands after `to`" would close, as the path `from, to, …, from`; null when
 * it closes none (A3.2). An item that waits for itself is the smallest one. Takes time linear in the dependencies.
 */
export function findCycle(
  edges: readonly Dependency[],
  from: string,
  to: string,
): readonly string[] | null {
  const afters = new Map<string, string[]>();
  for (const { item, after } of edges) afters.set(item, [...(afters.get(item) ?? []), after]);
  const reachedFrom = new Map<string, string>();
  const open = [to];
  const seen = new Set(open);
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item === from) return pathBack(reachedFrom, from, to);
    for (const after of afters.get(item) ?? []) {
      if (seen.has(after)) continue;
      seen.add(after);
      reachedFrom.set(after, item);
      open.push(after);
    }
  }
  return null;
}

function pathBack(
  reachedFrom: ReadonlyMap<string, string>,
  from: string,
  to: string,
): readonly string[] {
  const path = [from];
  let item = from;
  while (item !== to) {
    const before = reachedFrom.get(item);
    if (before === undefined) break;
    path.unshift(before);
    item = before;
  }
  return [from, ...path];
}

/** The refusal of a dependency that would close the circle `path` (A3.2). */
export function cycleRefusal(path: readonly string[]): Refusal {
  const circle = path.join(" → ");
  return refuse("dependency_cycle", `This would make an item wait for itself: ${circle}.`, {
    path: circle,
  });
}
