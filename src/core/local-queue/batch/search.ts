/**
 * Optimistic batches with bisection (C4.7), and conviction by bracketing only (C4.11). A generator: it says which tree is
 * to be tested next and is given the verdict, so that whoever drives it keeps no rule of its own.
 *
 * Prefixes of the batch are tested, in queue order. What is left of a batch after its culprits went is tested whole, so
 * a batch never lands as a tree that was not tested.
 */
import type { BatchResult, Conviction, Deferral, Evidence, Trial, Verdict } from "./trial.js";

/** Failures in one batch that went away by themselves, before the batch is given up for now. */
export const mostFlakes = 3;

type Search<Answer> = Generator<Trial, Answer, Verdict>;
type Failure = Extract<Verdict, { readonly evidence: readonly Evidence[] }>;

/** Ends the search of the members as they are: one has to go first, or nothing can be judged. */
class Interrupted extends Error {
  constructor(readonly verdict: Extract<Verdict, { readonly is: "conflict" | "undecidable" }>) {
    super(verdict.is);
  }
}

/** `batch`: distinct candidates in queue order, at least one. */
export function* searchBatch(batch: readonly string[]): Search<BatchResult> {
  const search = new BatchSearch(batch);
  return yield* search.run();
}

class BatchSearch {
  private members: readonly string[];
  private readonly passed = new Set<string>();
  private readonly convicted: Conviction[] = [];
  private readonly deferred: Deferral[] = [];
  private readonly flaky: Evidence[] = [];

  constructor(batch: readonly string[]) {
    this.members = batch;
  }

  *run(): Search<BatchResult> {
    for (;;) {
      try {
        return yield* this.whole();
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        const { verdict } = error;
        if (verdict.is === "undecidable") return this.result([], verdict.why);
        const { member, paths, alone } = verdict;
        if (!this.members.includes(member))
          throw new Error(`${member} is no member of the batch`, { cause: error });
        if (alone) this.convicted.push(conflictWithBase(member, paths));
        else this.deferred.push({ member, paths });
        this.members = this.members.filter((one) => one !== member);
      }
    }
  }

  private *whole(): Search<BatchResult> {
    let flakes = 0;
    for (;;) {
      const { members } = this;
      if (members.length === 0) return this.result([], null);
      const all = yield* this.test(members);
      if (all === null) return this.result(members, null);
      // The longest prefix that is known to pass: it lands whatever comes of those behind it.
      const good = this.knownGood();
      const found = yield* this.bisect(good, all);
      const proof = yield* this.bracket(found.at, good);
      if (proof !== null) {
        this.convict(found.at, proof);
        continue;
      }
      this.flaky.push(...found.failure.evidence);
      flakes += 1;
      if (flakes === mostFlakes) return this.result(members.slice(0, this.knownGood()), null);
    }
  }

  /** The shortest prefix that fails: `at` members, the last of which makes the difference. */
  private *bisect(good: number, all: Failure): Search<Found> {
    let [low, high, failure] = [good, this.members.length, all];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const verdict = yield* this.test(this.members.slice(0, middle));
      if (verdict === null) low = middle;
      else [high, failure] = [middle, verdict];
    }
    return { at: high, failure };
  }

  /**
   * The last of the first `at` fails again, alone on the base or with what lands before it; and without it the same
   * gates pass now. Null: nothing of the kind was shown, so the failure went away by itself.
   */
  private *bracket(at: number, good: number): Search<Proof | null> {
    const before = this.members.slice(0, at - 1);
    const member = this.members[at - 1] as string;
    const proof = yield* this.failsAgain(member, before);
    if (proof === null) return null;
    // Bisection saw the prefix without it pass after the batch had failed.
    if (at - 1 > good) return proof;
    const others = this.members.filter((one) => one !== member);
    if (others.length > 0 && (yield* this.test(others, true)) === null) return proof;
    // Nothing passed since the failure: it may be the machine that fails.
    return (yield* this.test(before, true)) === null ? proof : null;
  }

  private *failsAgain(member: string, before: readonly string[]): Search<Proof | null> {
    const alone = yield* this.test([member], true);
    if (alone !== null) return { together: [], failure: alone };
    if (before.length === 0) return null;
    const failure = yield* this.test([...before, member], true);
    return failure === null ? null : { together: before, failure };
  }

  private convict(at: number, { together, failure }: Proof): void {
    const member = this.members[at - 1] as string;
    const as = failure.is === "failed" ? "rejected" : "refused";
    this.convicted.push({ member, as, evidence: failure.evidence, together });
    this.members = this.members.filter((one) => one !== member);
  }

  /** Null: passed. Known results are not asked for again, unless they must be `again`. */
  private *test(members: readonly string[], again = false): Search<Failure | null> {
    if (!again && this.passed.has(key(members))) return null;
    const verdict = yield { members, again };
    if (verdict.is === "conflict" || verdict.is === "undecidable") throw new Interrupted(verdict);
    if (verdict.is === "passed") {
      this.passed.add(key(members));
      return null;
    }
    this.passed.delete(key(members));
    return verdict;
  }

  private knownGood(): number {
    let longest = this.members.length;
    while (longest > 0 && !this.passed.has(key(this.members.slice(0, longest)))) longest -= 1;
    return longest;
  }

  private result(land: readonly string[], undecidable: string | null): BatchResult {
    const left = this.members.filter((member) => !land.includes(member));
    const { convicted, deferred, flaky } = this;
    return { land, convicted, deferred, left, flaky, undecidable };
  }
}

interface Found {
  readonly at: number;
  readonly failure: Failure;
}

/** That it failed again, and with what. */
interface Proof {
  readonly together: readonly string[];
  readonly failure: Failure;
}

function conflictWithBase(member: string, paths: readonly string[]): Conviction {
  return { member, as: "rejected", evidence: [{ gate: "merge", signals: paths }], together: [] };
}

/** Ids of candidates hold no NUL. */
function key(members: readonly string[]): string {
  return members.join("\0");
}
