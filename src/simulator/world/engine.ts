/**
 * What all parts of the world stand on: the state, the clock, one change at a time, and the loop that
 * lets the world settle after each change (`laws.reconcile`).
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "../clock.js";
import { timestampOf } from "../clock.js";
import { GitDirectory } from "./git.js";
import { MergeTrees } from "./merge-trees.js";
import type { PullRequest, Repository } from "./model.js";
import { Outbox } from "./outbox.js";
import { loadState, StateFile } from "./persistence.js";
import { notFound } from "./refusal.js";
import type { WorldOptions } from "./requests.js";
import type { RepositoryState, State } from "./state.js";
import { Snapshots } from "./views.js";

/** The rules of this world; given from outside, so that the engine knows none of its parts. */
export interface Laws {
  /** Runs passes over the whole world until a pass changes nothing. */
  reconcile(engine: Engine): Promise<void>;
  /** When time alone changes something next, in milliseconds since the epoch. */
  nextDue(engine: Engine): number | null;
  /** What will end by itself on a real clock, in words. */
  pending(engine: Engine): string[];
}

export class Engine {
  readonly state: State;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly snapshots = new Snapshots();
  readonly mergeTrees = new MergeTrees();
  baseUrl = "http://127.0.0.1";

  readonly #dataDir: string;
  readonly #laws: Laws;
  readonly #file: StateFile;
  readonly #activities = new Map<symbol, string>();
  readonly #changed = new Map<PullRequest, RepositoryState>();
  #tail: Promise<unknown> = Promise.resolve();
  #waiting: (() => void)[] = [];
  #cancelWake: () => void = () => undefined;
  #closed = false;

  constructor(options: WorldOptions, laws: Laws) {
    mkdirSync(options.dataDir, { recursive: true });
    this.#dataDir = options.dataDir;
    this.#laws = laws;
    this.clock = options.clock;
    this.state = loadState(options.dataDir);
    this.#file = new StateFile(options.dataDir, this.state);
    this.outbox = new Outbox(this, options.deliver);
    for (const repository of this.state.repositories)
      for (const pullRequest of repository.pullRequests) this.changed(repository, pullRequest);
    // What fell due, or was to be sent, while the world was not running.
    void this.mutate("start", async () => undefined);
  }

  now(): number {
    return this.clock.now();
  }

  /** Now, as the model writes times. */
  stamp(): string {
    return timestampOf(this.now());
  }

  nextId(): number {
    return this.state.nextId++;
  }

  gitPath(owner: string, name: string, id: number): string {
    return join(this.#dataDir, "repositories", owner, `${name}-${id}.git`);
  }

  git(repository: Repository): GitDirectory {
    return new GitDirectory(repository.gitDir);
  }

  repositoryState(repository: Repository): RepositoryState {
    const found = this.state.repositories.find((one) => one.repository.id === repository.id);
    if (found === undefined || found.repository.deleted)
      throw notFound(`a Repository with the name '${repository.owner}/${repository.name}'`);
    return found;
  }

  /** Notes that a pull request differs from its newest snapshot. */
  changed(repository: RepositoryState, pullRequest: PullRequest): void {
    this.#changed.set(pullRequest, repository);
  }

  /**
   * Runs `work` alone, then lets the world settle, then resolves with what `work` returned. A refusal
   * of `work` reaches the caller after the world has settled too.
   */
  mutate<T>(what: string, work: () => Promise<T> | T): Promise<T> {
    if (this.#closed) return Promise.reject(new Error(`the world is closed: ${what}`));
    const before = this.#tail;
    const change = this.track(
      what,
      (async () => {
        await before;
        try {
          return await work();
        } finally {
          await this.#settle();
        }
      })(),
    );
    this.#tail = change.catch(() => undefined);
    return change;
  }

  /** Counts a promise among what is going on until it ends. */
  track<T>(what: string, promise: Promise<T>): Promise<T> {
    const key = Symbol(what);
    this.#activities.set(key, what);
    const ended = (): void => {
      this.#activities.delete(key);
      this.#wakeWaiting();
    };
    promise.then(ended, ended);
    return promise;
  }

  busy(): string[] {
    const pending = this.clock.kind === "real" ? this.#laws.pending(this) : [];
    return [...this.#activities.values(), ...pending, ...this.outbox.waiting()];
  }

  async idle(): Promise<void> {
    while (this.busy().length > 0)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#tail;
    this.#cancelWake();
    this.outbox.close();
    await this.#file.close();
    this.#wakeWaiting();
  }

  /** Marks the state as changed outside `mutate` (a delivery has ended). */
  saveSoon(): void {
    this.#file.saveSoon();
  }

  async #settle(): Promise<void> {
    await this.#laws.reconcile(this);
    for (const [pullRequest, repository] of this.#changed)
      this.snapshots.take(repository, pullRequest, this.now());
    this.#changed.clear();
    this.outbox.flush();
    this.#file.saveSoon();
    this.#cancelWake();
    const due = this.#laws.nextDue(this);
    if (due !== null)
      this.#cancelWake = this.clock.schedule(due, async () => {
        if (!this.#closed) await this.mutate("clock", () => undefined);
      });
  }

  #wakeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
