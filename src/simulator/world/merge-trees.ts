/** Remembers what git said on merging two commits; the answer for two oids never changes. */
import type { GitDirectory } from "./git.js";

const KEPT = 20_000;

export class MergeTrees {
  readonly #trees = new Map<string, Promise<string | null>>();

  /** Tree of the merge, null for a conflict. */
  tree(git: GitDirectory, ours: string, theirs: string): Promise<string | null> {
    const key = `${git.path}\n${ours}\n${theirs}`;
    const known = this.#trees.get(key);
    if (known !== undefined) return known;
    const asked = git.mergeTree(ours, theirs);
    this.#trees.set(key, asked);
    asked.catch(() => this.#trees.delete(key));
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > KEPT && oldest !== undefined) this.#trees.delete(oldest);
    return asked;
  }
}
