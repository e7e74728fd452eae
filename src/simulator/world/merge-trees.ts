/**
 * Remembers what git said on merging two commits; the answer for two oids never changes. What is asked in
 * one turn is answered by one git process: a read of fifty pull requests asks fifty merges.
 */
import type { GitDirectory } from "./git.js";

const KEPT = 20_000;

interface Asked {
  readonly ours: string;
  readonly theirs: string;
  readonly settle: (tree: string | null) => void;
  readonly fail: (error: unknown) => void;
}

export class MergeTrees {
  readonly #trees = new Map<string, Promise<string | null>>();
  readonly #waiting = new Map<string, Asked[]>();

  /** Tree of the merge, null for a conflict. */
  tree(git: GitDirectory, ours: string, theirs: string): Promise<string | null> {
    const key = `${git.path}\n${ours}\n${theirs}`;
    const known = this.#trees.get(key);
    if (known !== undefined) return known;
    const asked = this.#soon(git, ours, theirs);
    this.#trees.set(key, asked);
    asked.catch(() => this.#trees.delete(key));
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > KEPT && oldest !== undefined) this.#trees.delete(oldest);
    return asked;
  }

  #soon(git: GitDirectory, ours: string, theirs: string): Promise<string | null> {
    return new Promise((settle, fail) => {
      const batch = this.#waiting.get(git.path) ?? [];
      if (batch.length === 0) setImmediate(() => void this.#run(git));
      this.#waiting.set(git.path, batch);
      batch.push({ ours, theirs, settle, fail });
    });
  }

  async #run(git: GitDirectory): Promise<void> {
    const batch = this.#waiting.get(git.path) ?? [];
    this.#waiting.delete(git.path);
    try {
      const trees = await git.mergeTrees(batch);
      for (const [at, asked] of batch.entries()) asked.settle(trees[at] ?? null);
    } catch (error) {
      for (const asked of batch) asked.fail(error);
    }
  }
}
