/** Counts the external calls of one run, and lets the planned fault happen to one of them. */
import type { Party, Planned, Step } from "./step.js";

/** What the caller gets: the true answer, a refusal, or a connection that breaks. */
export type Reply = "answer" | "refusal" | "silence";

export class Tripwire {
  readonly #planned: Planned | null;
  readonly #kill: () => Promise<void>;
  readonly #counts = new Map<string, number>();
  readonly #steps: Step[] = [];
  #watching = false;
  #met = false;

  /** `kill` ends the worker with SIGKILL and resolves when it is gone. */
  constructor(planned: Planned | null, kill: () => Promise<void>) {
    this.#planned = planned;
    this.#kill = kill;
  }

  /** The calls before are part of the arrangement, not of the story. */
  watch(): void {
    this.#watching = true;
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  /** Whether the planned fault happened. */
  get met(): boolean {
    return this.#met;
  }

  /** Lets one call that has an effect happen: `act` resolves when the effect is there, its answer not yet given. */
  async pass(
    party: Exclude<Party, "GitHub">,
    name: string,
    act: () => Promise<void>,
  ): Promise<Reply> {
    const kind = this.#meet(party, name);
    if (kind === "refused") return "refusal";
    if (kind === "killed before") {
      await this.#kill();
      return "silence";
    }
    await act();
    if (kind === null) return "answer";
    if (kind === "killed after") await this.#kill();
    return "silence";
  }

  #meet(party: Party, name: string): Planned["kind"] | null {
    if (!this.#watching) return null;
    const nth = (this.#counts.get(`${party} ${name}`) ?? 0) + 1;
    this.#counts.set(`${party} ${name}`, nth);
    this.#steps.push({ party, name, nth, effect: true });
    if (this.#planned === null) return null;
    const { step, kind } = this.#planned;
    if (step.party !== party || step.name !== name || step.nth !== nth) return null;
    this.#met = true;
    return kind;
  }
}
