/** Counts the external calls of one run, and lets the planned fault happen to one of them. */
import { killOf, type Party, type Planned, type Step, type Victim } from "./step.js";

/** What the caller gets: the true answer, a refusal, or a connection that breaks. */
export type Reply = "answer" | "refusal" | "silence";

export class Tripwire {
  readonly #planned: Planned | null;
  readonly #kill: (victim: Victim) => Promise<void>;
  readonly #counts = new Map<string, number>();
  readonly #steps: Step[] = [];
  #watching = false;
  #met = false;

  /** `kill` sends SIGKILL, and resolves when the victim is gone and another one on its way. */
  constructor(planned: Planned | null, kill: (victim: Victim) => Promise<void>) {
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
    if (kind === null) {
      await act();
      return "answer";
    }
    if (kind === "refused") return "refusal";
    const kill = killOf(kind);
    // Whoever asked is gone, or whoever was to answer.
    const silenced = kill === null || kill.victim === "worker" || kill.victim === party;
    if (kill?.when === "before") {
      await this.#kill(kill.victim);
      if (silenced) return "silence";
    }
    await act();
    if (kill?.when === "after") await this.#kill(kill.victim);
    return silenced ? "silence" : "answer";
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
