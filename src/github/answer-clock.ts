/**
 * The time of an answer, by GitHub's clock, fine enough to order two readings (A4.8).
 *
 * The `Date` header is GitHub's clock but has whole seconds; the clock of this machine has milliseconds but
 * may be wrong. The rule:
 *
 * 1. An answer is as new as the moment its request was *sent*: what it says was true then or later. A slow
 *    answer therefore counts as old, also when it arrives last.
 * 2. The sending time is carried over to GitHub's clock by an offset. It is zero until a `Date` proves it wrong:
 *    GitHub's second began after the answer was here (this clock is behind), or had ended before the request was
 *    sent (this clock is ahead). Then it becomes what this answer proves, counted from the second's nearest end.
 * 3. Within one client no two requests share a sending time, and a later one never gets an earlier reading time.
 *
 * With a right clock the offset stays zero, so the order holds between all processes of one machine, too. Only
 * the standard header is read, so a simulated GitHub is treated as the real one.
 */
export interface AnswerClock {
  /** Call when a request goes out; the stamp is for `readAt`. */
  sending(): Stamp;
  /** ISO time of the answer to the request of `stamp`, whose `Date` header was `date`. */
  readAt(stamp: Stamp, date: string | undefined): string;
}

/** Local milliseconds of a sending, unique within a clock. */
export type Stamp = number & { readonly stamp: unique symbol };

const SECOND = 1000;

export function createAnswerClock(now: () => number): AnswerClock {
  let offset = 0;
  let lastSent = Number.NEGATIVE_INFINITY;
  /** The newest request that was answered, and the reading time it got. */
  let newest: { sent: number; at: number } | null = null;

  return {
    sending() {
      lastSent = Math.max(Math.floor(now()), lastSent + 1);
      return lastSent as Stamp;
    },
    readAt(stamp, date) {
      const second = date === undefined ? Number.NaN : Date.parse(date);
      const received = Math.max(now(), stamp);
      if (received + offset < second) offset = second - stamp;
      else if (stamp + offset >= second + SECOND) offset = second + SECOND - 1 - stamp;
      let at = stamp + offset;
      if (newest === null || stamp > newest.sent) {
        if (newest !== null) at = Math.max(at, newest.at + 1);
        newest = { sent: stamp, at };
      } else {
        at = Math.min(at, newest.at - 1);
      }
      return new Date(at).toISOString();
    },
  };
}
