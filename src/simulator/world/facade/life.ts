/** The life of a world: its clock, what it is busy with, its end. */
import type { Clock } from "../../clock.js";
import { SteppedClock } from "../../clock.js";
import { Engine } from "../engine.js";
import { LAWS } from "../laws.js";
import { Refusal } from "../refusal.js";
import type * as request from "../requests.js";

export class WorldLife {
  protected readonly engine: Engine;

  constructor(options: request.WorldOptions) {
    this.engine = new Engine(options, LAWS);
  }

  get clock(): Clock {
    return this.engine.clock;
  }

  /** Address in links and payloads, without a final slash; set it once the server listens. */
  get baseUrl(): string {
    return this.engine.baseUrl;
  }

  set baseUrl(url: string) {
    this.engine.baseUrl = url;
  }

  /** Moves a stepped clock by `ms` and runs what falls due (S10). @throws Refusal on a real clock. */
  async advance(ms: number): Promise<void> {
    const { clock } = this.engine;
    if (!(clock instanceof SteppedClock))
      throw new Refusal("CONFLICT", "The clock is real and cannot be stepped.");
    await clock.advance(ms);
  }

  /** What is going on now and ends by itself; empty when the world stands still. */
  busy(): string[] {
    return this.engine.busy();
  }

  /** Resolves when `busy()` is empty. Jobs on hold and timers of a stepped clock do not count. */
  idle(): Promise<void> {
    return this.engine.idle();
  }

  /** Finishes what runs, writes `world.json`, and stops all timers. */
  close(): Promise<void> {
    return this.engine.close();
  }
}
