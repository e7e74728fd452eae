/** Scripted faults of the APIs and of git (S8). One fault acts on one request. */
import type { RequestKind } from "./http/request-log.js";

export interface FaultMatch {
  readonly kind?: RequestKind;
  readonly method?: string;
  /** Regular expression over the path as sent, and over the route's name. */
  readonly route?: string;
  /** Name of a GraphQL operation. */
  readonly operation?: string;
  /** A field the GraphQL document selects anywhere, for instance `enqueuePullRequest`. */
  readonly field?: string;
}

export interface FaultError {
  /** Response keys and indexes from the root; `*` stands for any one of them. */
  readonly path: readonly (string | number)[];
  readonly message?: string;
  readonly type?: string;
}

export interface FaultScript {
  readonly match?: FaultMatch;
  /** First matching request it acts on, counted from 1. */
  readonly nth?: number;
  /** Requests it acts on; null: all. */
  readonly times?: number | null;
  /** Milliseconds of the computer's own time before anything else happens. */
  readonly delayMs?: number;
  /** Answers with this; without `effect` nothing else happens. */
  readonly status?: number;
  /** JSON, or text as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** With `status`: the request takes effect first, and its true answer is lost. */
  readonly effect?: boolean;
  /** Breaks the connection: `before` any effect, `after` it, or in the middle of the answer. */
  readonly cut?: "before" | "after" | "during";
  /** Gives no answer until the client goes away, or the fault is released: before any effect, or `after` it. */
  readonly hang?: "before" | "after";
  /** Fails these fields of a GraphQL answer (a partial answer). */
  readonly errors?: readonly FaultError[];
}

export interface Fault {
  readonly id: number;
  readonly script: FaultScript;
  /** Requests that matched. */
  matched: number;
  /** Requests it acted on. */
  used: number;
  /** Requests it left without an answer. */
  hung: number;
}

export interface FaultSubject {
  readonly kind: RequestKind;
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly operation: string | null;
  /** Every field the document selects. */
  readonly selected: ReadonlySet<string>;
}

export class Faults {
  #faults: Fault[] = [];
  #nextId = 1;
  #waiting: { readonly fault: Fault; readonly resume: () => void }[] = [];
  #hanging: { readonly fault: Fault; readonly resume: () => void }[] = [];

  /** @throws SyntaxError for a route that is no regular expression. */
  add(script: FaultScript): Fault {
    if (script.match?.route !== undefined) new RegExp(script.match.route).test("");
    const fault: Fault = { id: this.#nextId++, script, matched: 0, used: 0, hung: 0 };
    this.#faults.push(fault);
    return fault;
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  /** False when there is no such fault. */
  remove(id: number): boolean {
    const before = this.#faults.length;
    this.#faults = this.#faults.filter((one) => one.id !== id);
    return this.#faults.length < before;
  }

  clear(): void {
    this.#faults = [];
  }

  /** A request is left without an answer from here on. Resolves when the fault is released. */
  hang(fault: Fault): Promise<void> {
    fault.hung += 1;
    const waiting = this.#waiting.filter((one) => one.fault === fault);
    this.#waiting = this.#waiting.filter((one) => one.fault !== fault);
    for (const { resume } of waiting) resume();
    return new Promise((resume) => this.#hanging.push({ fault, resume }));
  }

  /** The requests that this fault left without an answer go on. */
  release(fault: Fault): void {
    const released = this.#hanging.filter((one) => one.fault === fault);
    this.#hanging = this.#hanging.filter((one) => one.fault !== fault);
    for (const { resume } of released) resume();
  }

  /** Resolves when this fault has left a request without an answer: the moment to kill who asked. */
  async hanging(fault: Fault): Promise<void> {
    if (fault.hung > 0) return;
    await new Promise<void>((resume) => this.#waiting.push({ fault, resume }));
  }

  /** The oldest fault that acts on this request; it counts as used. */
  take(subject: FaultSubject): Fault | null {
    let acting: Fault | null = null;
    for (const fault of this.#faults) {
      if (!matches(fault.script.match ?? {}, subject)) continue;
      fault.matched += 1;
      if (acting !== null || !isDue(fault)) continue;
      fault.used += 1;
      acting = fault;
    }
    return acting;
  }
}

/** A fault that never acted, or not as often as it says. */
export function isUnused({ script, used }: Fault): boolean {
  const { times = 1 } = script;
  return times === null ? used === 0 : used < times;
}

function isDue({ script, matched, used }: Fault): boolean {
  const { nth = 1, times = 1 } = script;
  return matched >= nth && (times === null || used < times);
}

function matches(match: FaultMatch, subject: FaultSubject): boolean {
  const { route } = match;
  return (
    (match.kind === undefined || match.kind === subject.kind) &&
    (match.method === undefined || match.method.toUpperCase() === subject.method) &&
    (route === undefined ||
      new RegExp(route).test(subject.path) ||
      new RegExp(route).test(subject.route)) &&
    (match.operation === undefined || match.operation === subject.operation) &&
    (match.field === undefined || subject.selected.has(match.field))
  );
}

/** Whether a pattern with `*` names this path of a GraphQL answer. */
export function namesPath(
  pattern: readonly (string | number)[],
  path: readonly (string | number)[],
): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, at) => part === "*" || String(part) === String(path[at]))
  );
}
