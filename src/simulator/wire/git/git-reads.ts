/** Reads of the bare repositories for the APIs. What is asked by oid never changes, so it is kept. */
import type { ChangedFile, Commit } from "../../world/git-parse.js";
import type { Repository } from "../../world/model.js";
import type { ServedWorld } from "../served-world.js";
import { ObjectReader } from "./object-reader.js";

export interface Comparison {
  readonly base: string;
  readonly head: string;
  readonly ahead: number;
  readonly behind: number;
  readonly mergeBase: string | null;
}

export type ComparisonStatus = "ahead" | "behind" | "diverged" | "identical";

const KEPT = 20_000;

export class GitReads {
  readonly #world: ServedWorld;
  readonly #readers = new Map<string, ObjectReader>();
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(world: ServedWorld) {
    this.#world = world;
  }

  /** A branch, tag, full ref, or (abbreviated) oid; null when there is none. */
  async resolve(repository: Repository, revision: string): Promise<string | null> {
    const reader = this.#reader(repository);
    for (const prefix of ["refs/heads/", "refs/tags/"]) {
      const found = await reader.resolve(`${prefix}${revision}`);
      if (found !== null) return found;
    }
    return /^(refs\/.+|[0-9a-f]{7,40}|HEAD)$/.test(revision) ? reader.resolve(revision) : null;
  }

  /** Commit of a full ref name, or null. */
  ref(repository: Repository, name: string): Promise<string | null> {
    return this.#reader(repository).resolve(name);
  }

  /** The object of a full ref name, which for a tag need not be a commit. */
  target(repository: Repository, name: string) {
    return this.#reader(repository).target(name);
  }

  branch(repository: Repository, name: string): Promise<string | null> {
    return this.ref(repository, `refs/heads/${name}`);
  }

  /** Null when the repository has no such commit. */
  async commit(repository: Repository, oid: string): Promise<Commit | null> {
    const key = `commit ${repository.id} ${oid}`;
    const commit = await this.#once(key, () => this.#reader(repository).commit(oid));
    // It may yet be pushed.
    if (commit === null) this.#known.delete(key);
    return commit;
  }

  compare(repository: Repository, base: string, head: string): Promise<Comparison> {
    return this.#once(`compare ${repository.id} ${base} ${head}`, async () => {
      if (base === head) return { base, head, ahead: 0, behind: 0, mergeBase: base };
      const git = this.#world.git(repository);
      const [counts, mergeBase] = await Promise.all([
        git.aheadBehind(base, head),
        git.mergeBase(base, head),
      ]);
      return { base, head, ...counts, mergeBase };
    });
  }

  /** Files that `head` changes since it left `base`, renames found. */
  async changedFiles(repository: Repository, base: string, head: string): Promise<ChangedFile[]> {
    return this.#once(`files ${repository.id} ${base} ${head}`, async () => {
      const { mergeBase } = await this.compare(repository, base, head);
      const git = this.#world.git(repository);
      return mergeBase === null ? [] : git.changedFiles(mergeBase, head);
    });
  }

  /** Commits of `to` that `from` does not have, oldest first. */
  commitsBetween(repository: Repository, from: string | null, to: string): Promise<Commit[]> {
    return this.#once(`between ${repository.id} ${String(from)} ${to}`, () =>
      this.#world.git(repository).commitsBetween(from, to),
    );
  }

  /** Blob of every path of a commit. */
  blobs(repository: Repository, oid: string): Promise<ReadonlyMap<string, string>> {
    return this.#once(`blobs ${repository.id} ${oid}`, async () => {
      const git = this.#world.git(repository);
      const { stdout } = await git.run(["ls-tree", "-r", "-z", "--full-tree", oid]);
      return new Map(
        stdout
          .split("\0")
          .filter((line) => line !== "")
          .map((line) => {
            const tab = line.indexOf("\t");
            return [line.slice(tab + 1), line.slice(0, tab).split(" ")[2] ?? ""];
          }),
      );
    });
  }

  close(): void {
    for (const reader of this.#readers.values()) reader.close();
    this.#readers.clear();
  }

  #reader(repository: Repository): ObjectReader {
    const known = this.#readers.get(repository.gitDir);
    if (known !== undefined) return known;
    const reader = new ObjectReader(repository.gitDir);
    this.#readers.set(repository.gitDir, reader);
    return reader;
  }

  #once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key);
    if (known !== undefined) return known as Promise<T>;
    const asked = ask();
    this.#known.set(key, asked);
    asked.catch(() => this.#known.delete(key));
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT && oldest !== undefined) this.#known.delete(oldest);
    return asked;
  }
}

export function comparisonStatus({ ahead, behind }: Comparison): ComparisonStatus {
  if (ahead > 0) return behind > 0 ? "diverged" : "ahead";
  return behind > 0 ? "behind" : "identical";
}
