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
