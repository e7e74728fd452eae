/** The fetches of gate branches that landings which close out together share (A15.6). */
import { sharedRuns } from "./shared-runs.js";

/** A fetch that began this long ago, or later, still says what the remote holds now. */
const RECENT_MS = 5000;

/** The head that a fetch found, by a key of repository, remote and branch. */
export class GateFetches {
  readonly #share = sharedRuns<string>();
  readonly #recent = new Map<string, { readonly head: string; readonly began: number }>();
  readonly #now: () => number;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The head that a fetch of the last seconds found; null when there was none. */
  recent(key: string): string | null {
    const known = this.#recent.get(key);
    return known !== undefined && this.#now() - known.began <= RECENT_MS ? known.head : null;
  }

  /** Fetches, or shares the next fetch when one is under way. `fetch` answers the head. */
  async fetch(key: string, fetch: () => Promise<string>): Promise<string> {
    return this.#share(key, async () => {
      const began = this.#now();
      const head = await fetch();
      this.#recent.set(key, { head, began });
      return head;
    });
  }
}
