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

/** What can be killed while a call is under way; the servers keep what they stored, and come back where they were. */
export type Victim = "worker" | "Temporal" | "Postgres";
export type Kill = `${Victim} killed ${"before" | "after"}`;
export type FaultKind = "refused" | "reply lost" | Kill;

export const callFaults = [
  "refused",
  "reply lost",
  "worker killed before",
  "worker killed after",
] as const satisfies readonly FaultKind[];

export const serverKills = [
  "Temporal killed before",
  "Temporal killed after",
  "Postgres killed before",
  "Postgres killed after",
] as const satisfies readonly FaultKind[];

/** Who is killed, and on which side of the call's effect; null for a fault of the call itself. */
export function killOf(kind: FaultKind): { victim: Victim; when: "before" | "after" } | null {
  if (kind === "refused" || kind === "reply lost") return null;
  const [victim, when] = kind.split(" killed ") as [Victim, "before" | "after"];
  return { victim, when };
}

export interface Planned {
  readonly step: Step;
  readonly kind: FaultKind;
}

export function stepName({ party, name, nth }: Step): string {
  return `${party}: ${name}${nth === 1 ? "" : ` (${nth})`}`;
}

/** A read has no effect that its reply could follow: losing the reply is refusing, and before is after. */
export function isMeaningful({ step, kind }: Planned): boolean {
  return step.effect || kind === "refused" || kind === "worker killed before";
}
