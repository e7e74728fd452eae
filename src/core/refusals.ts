/**
 * The catalogue of refusals. Every "no" of the product is a value made here: a code (API, never
 * renamed), an exit status, what was seen, and what to do next (style.md "Refusals and errors").
 */

/** Exit statuses of the `yoke` command (A1.4, A1.5, C1.3, D1.3). */
export const EXIT = {
  ok: 0,
  failed: 1,
  refused: 2,
  uncertain: 3,
  usage: 4,
  pending: 9,
  leaseHeld: 75,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** One entry of the catalogue: what a code means, whatever was seen this time. */
export interface RefusalKind {
  readonly exit: ExitStatus;
  /** One line for the generated docs: when this is said. */
  readonly when: string;
  /** The standing recovery: a verb, and a command or a role. May hold `{name}` slots filled from `seen`. */
  readonly next: string;
}

/** One refusal as it is said: serialisable, so it crosses workflows, HTTP and the command line unchanged. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly exit: ExitStatus;
  /** What was seen, in words, with the values that decided it. */
  readonly message: string;
  /** What to do next. */
  readonly next: string;
  /** The values seen, by name. Never a secret. */
  readonly seen: Readonly<Record<string, string>>;
}

const kinds = {
  item_unknown: {
    exit: EXIT.refused,
    when: "The item is not in this project.",
    next: "List the items with `yoke items list`, or add it with `yoke items add`.",
  },
  temporal_binary_unavailable: {
    exit: EXIT.failed,
    when: "`yoke up` found no Temporal program on this machine and could not fetch or build one.",
    next: "Put the `temporal` command line on PATH, or set TEMPORAL_ADDRESS to a running server.",
  },
  postgres_unavailable: {
    exit: EXIT.failed,
    when: "`yoke up` could not start Postgres on this machine.",
    next: "Read what it says, or set DATABASE_URL to a running Postgres.",
  },
  service_unavailable: {
    exit: EXIT.failed,
    when: "A service of `yoke up` ended before it was ready.",
    next: "Read {log}, then start again with `yoke up`.",
  },
  instance_running: {
    exit: EXIT.refused,
    when: "Another `yoke up` is running on the same data folder.",
    next: "Use the running one, or stop it with `yoke down`.",
  },
} as const satisfies Record<string, RefusalKind>;

export type RefusalCode = keyof typeof kinds;

export const catalogue: Readonly<Record<RefusalCode, RefusalKind>> = kinds;

/** Makes the refusal `code` with what was seen. `{name}` slots of the standing recovery are filled from `seen`. */
export function refuse(
  code: RefusalCode,
  message: string,
  seen: Readonly<Record<string, string>> = {},
  next?: string,
): Refusal {
  const kind: RefusalKind = catalogue[code];
  const recovery = (next ?? kind.next).replace(
    /\{(\w+)\}/g,
    (slot, name: string) => seen[name] ?? slot,
  );
  return { code, exit: kind.exit, message, next: recovery, seen };
}
