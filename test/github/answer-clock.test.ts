import { describe, expect, it } from "vitest";
import { array, assert as check, integer, nat, property, record, tuple } from "fast-check";

import { createAnswerClock } from "../../src/github/answer-clock.js";

const T = Date.parse("2026-01-02T03:04:05.000Z");

/** The header GitHub would send at `ms`. */
function header(ms: number): string {
  return new Date(ms).toUTCString();
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** A machine whose clock is wrong by `skew`, watched from GitHub's true time. */
function machine(skew: number) {
  let truth = T;
  return {
    at(time: number) {
      truth = time;
    },
    now: () => truth + skew,
    truth: () => truth,
  };
}

describe("the time of an answer", () => {
  it("A4.8 is the sending time when this clock agrees with the Date header", () => {
    const here = machine(0);
    const clock = createAnswerClock(here.now);
    here.at(T + 120);
    const stamp = clock.sending();
    here.at(T + 180);
    expect(clock.readAt(stamp, header(T + 150))).toBe(iso(T + 120));
  });

  it("A4.8 a slow answer counts as old though it arrives last", () => {
    const here = machine(0);
    const clock = createAnswerClock(here.now);
    const slow = clock.sending();
    here.at(T + 500);
    const quick = clock.sending();
    here.at(T + 600);
    const second = clock.readAt(quick, header(T + 600));
    here.at(T + 7000);
    expect(clock.readAt(slow, header(T + 7000)) < second).toBe(true);
  });

  it.each([-3_600_000, -1500, 1500, 3_600_000])(
    "A4.8 is in the second of the Date header when this clock is wrong by %i ms",
    (skew) => {
      const here = machine(skew);
      const clock = createAnswerClock(here.now);
      const stamp = clock.sending();
      expect(clock.readAt(stamp, header(T)).slice(0, 19)).toBe(iso(T).slice(0, 19));
    },
  );

  it("A4.8 orders one reading after another though GitHub's clock stands still", () => {
    const here = machine(0);
    const clock = createAnswerClock(here.now);
    const times = Array.from({ length: 5 }, (_, turn) => {
      here.at(T + turn * 5000);
      return clock.readAt(clock.sending(), header(T));
    });
    expect([...new Set(times)].sort()).toEqual(times);
  });

  it("A4.8 without a usable Date header it is the sending time", () => {
    const here = machine(0);
    const clock = createAnswerClock(here.now);
    expect(clock.readAt(clock.sending(), undefined)).toBe(iso(T));
    expect(clock.readAt(clock.sending(), "soon")).toBe(iso(T + 1));
  });

  it("A4.8 two processes of a machine with a right clock agree on the order of readings", () => {
    check(
      property(
        array(
          record({
            process: integer({ min: 0, max: 1 }),
            pause: integer({ min: 1, max: 1500 }),
            way: integer({ min: 0, max: 300 }),
            back: integer({ min: 0, max: 300 }),
          }),
          { minLength: 2, maxLength: 30 },
        ),
        (reads) => {
          const here = machine(0);
          const clocks = [createAnswerClock(here.now), createAnswerClock(here.now)];
          const times = reads.map(({ process, pause, way, back }) => {
            here.at(here.truth() + pause);
            const clock = clocks[process] ?? createAnswerClock(here.now);
            const stamp = clock.sending();
            here.at(here.truth() + way);
            const date = header(here.truth());
            here.at(here.truth() + back);
            return clock.readAt(stamp, date);
          });
          expect([...new Set(times)].sort()).toEqual(times);
        },
      ),
    );
  });

  it("A4.8 one process orders its readings whatever its clock and the delays", () => {
    check(
      property(
        integer({ min: -5000, max: 5000 }),
        array(tuple(nat(2000), nat(2000)), { minLength: 2, maxLength: 30 }),
        (skew, reads) => {
          const here = machine(skew);
          const clock = createAnswerClock(here.now);
          const times = reads.map(([way, back]) => {
            const stamp = clock.sending();
            here.at(here.truth() + way);
            const date = header(here.truth());
            here.at(here.truth() + back);
            return clock.readAt(stamp, date);
          });
          expect([...new Set(times)].sort()).toEqual(times);
        },
      ),
    );
  });
});
