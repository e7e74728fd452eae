/** The simulator's clock (S10): every timer of the world goes through it. */

export interface Clock {
  readonly kind: "real" | "stepped";
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once at `at` (milliseconds since the epoch) or soon after; returns its cancellation. */
  schedule(at: number, task: () => Promise<void> | void): () => void;
}

/** `clock.now()` as an ISO 8601 string in UTC with milliseconds; the wire prints whole seconds. */
export function timestamp(clock: Clock): string {
  return timestampOf(clock.now());
}

export function timestampOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Longest wait a Node timer can hold. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export class RealClock implements Clock {
  readonly kind = "real";

  now(): number {
    return Date.now();
  }

  schedule(at: number, task: () => Promise<void> | void): () => void {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const wait = at - Date.now();
      timer = setTimeout(
        () => (at > Date.now() ? arm() : void task()),
        Math.min(Math.max(wait, 0), LONGEST_WAIT_MS),
      );
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  }
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly task: () => Promise<void> | void;
}

/** Stands still until `advance` moves it. */
export class SteppedClock implements Clock {
  readonly kind = "stepped";
  #now: number;
  #order = 0;
  readonly #timers = new Set<Timer>();
  #advancing: Promise<void> = Promise.resolve();

  /** `start`: milliseconds since the epoch, by default the computer's own time. */
  constructor(start: number = Date.now()) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  schedule(at: number, task: () => Promise<void> | void): () => void {
    const timer = { at, order: this.#order++, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /**
   * Moves time forward by `ms`. Timers due on the way run in order, each awaited with the clock at
   * its own time; those they set run too when they are due. Calls wait for one another.
   */
  advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`a clock moves forward only, not by ${ms} ms`);
    const step = this.#advancing.then(() => this.#advanceTo(this.#now + ms));
    this.#advancing = step.catch(() => undefined);
    return step;
  }

  async #advanceTo(target: number): Promise<void> {
    for (;;) {
      const next = this.#next(target);
      if (next === null) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      await next.task();
    }
    this.#now = target;
  }

  #next(until: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers) {
      if (timer.at > until) continue;
      if (
        first === null ||
        timer.at < first.at ||
        (timer.at === first.at && timer.order < first.order)
      )
        first = timer;
    }
    return first;
  }
}
