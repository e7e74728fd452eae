/** The external calls of a landing, and what can go wrong with each (A15.4). */

export type Party = "GitHub" | "Postgres" | "holder" | "git";

export interface Step {
  readonly party: Party;
  /** What is called; with `nth`, counted from 1, it names the step in every run of the story. */
  readonly name: string;
  readonly nth: number;
  /** False: it only reads. */
  readonly effect: boolean;
}

export const faultKinds = ["refused", "reply lost", "killed before", "killed after"] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Planned {
  readonly step: Step;
  readonly kind: FaultKind;
}

export function stepName({ party, name, nth }: Step): string {
  return `${party}: ${name}${nth === 1 ? "" : ` (${nth})`}`;
}

/** A read has no effect that its reply could follow: losing the reply is refusing, and before is after. */
export function isMeaningful({ step, kind }: Planned): boolean {
  return step.effect || kind === "refused" || kind === "killed before";
}
