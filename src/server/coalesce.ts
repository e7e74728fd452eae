/**
 * Many webhooks, few signals: what is touched within a short window goes in one signal, and a project has one signal
 * under way at most, so that a burst can never starve its workflow (case E07). What is not urgent rides along with what
 * is, or goes a little later by itself (A15.6). Nothing here is durable: a delivery counts as handled only when the
 * promise it was given has resolved.
 */
import { setTimeout as delay } from "node:timers/promises";

export interface CoalesceOptions {
  /** Sends one signal, and settles within a bound of its own. Safe to repeat. */
  readonly send: (project: string, pullRequests: readonly number[]) => Promise<void>;
  /** Milliseconds. */
  readonly windowMs?: number;
  /** How long what is not urgent waits for something that is, in milliseconds. */
  readonly patienceMs?: number;
}

export interface Coalescer {
  /** Resolves when a signal that names all of these was accepted; rejects when that signal failed. */
  add(
    project: string,
    pullRequests: readonly number[],
    how?: { readonly urgent: boolean },
  ): Promise<void>;
}

interface Batch {
  readonly pullRequests: Set<number>;
  readonly done: Promise<void>;
  /** Aborted as soon as something in it is urgent. */
  readonly urgent: AbortController;
  resolve(): void;
  reject(error: unknown): void;
}

export function createCoalescer(options: CoalesceOptions): Coalescer {
  const { send, windowMs = 150, patienceMs = 2000 } = options;
  const pending = new Map<string, Batch>();
  const running = new Set<string>();

  async function drain(project: string): Promise<void> {
    running.add(project);
    try {
      while (pending.has(project)) {
        await untilUrgent(pending.get(project));
        await delay(windowMs);
        const batch = pending.get(project);
        pending.delete(project);
        if (batch !== undefined) await sendBatch(project, batch);
      }
    } finally {
      running.delete(project);
    }
  }

  async function untilUrgent(batch: Batch | undefined): Promise<void> {
    const signal = batch?.urgent.signal;
    if (signal === undefined || signal.aborted) return;
    await delay(patienceMs, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  async function sendBatch(project: string, batch: Batch): Promise<void> {
    const numbers = [...batch.pullRequests].sort((a, b) => a - b);
    try {
      await send(project, numbers);
      batch.resolve();
    } catch (error) {
      batch.reject(error);
    }
  }

  return {
    async add(project, pullRequests, { urgent } = { urgent: true }) {
      if (pullRequests.length === 0) return;
      const batch = pending.get(project) ?? newBatch();
      pending.set(project, batch);
      for (const number of pullRequests) batch.pullRequests.add(number);
      if (urgent) batch.urgent.abort();
      if (!running.has(project)) void drain(project);
      await batch.done;
    },
  };
}

function newBatch(): Batch {
  const { promise: done, resolve, reject } = settleable();
  return { pullRequests: new Set(), done, urgent: new AbortController(), resolve, reject };
}

function settleable(): {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
} {
  const handles: { resolve?: () => void; reject?: (error: unknown) => void } = {};
  const promise = new Promise<void>((resolve, reject) => {
    handles.resolve = resolve;
    handles.reject = reject;
  });
  return {
    promise,
    resolve: () => handles.resolve?.(),
    reject: (error) => handles.reject?.(error),
  };
}
