/** Runs of one key, one at a time. Whoever asks while one is under way shares the next, which begins after they asked. */
export type SharedRuns<T> = (key: string, run: () => Promise<T>) => Promise<T>;

/** The `run` of whoever asked first for a run is the one that is used; its failure is told to all who share it. */
export function sharedRuns<T>(): SharedRuns<T> {
  const running = new Map<string, Promise<T>>();
  const waiting = new Map<string, Promise<T>>();

  const begin = (key: string, run: () => Promise<T>): Promise<T> => {
    const begun = run().finally(() => {
      if (running.get(key) === begun) running.delete(key);
    });
    running.set(key, begun);
    return begun;
  };

  return (key, run) => {
    const next = waiting.get(key);
    if (next !== undefined) return next;
    const current = running.get(key);
    if (current === undefined) return begin(key, run);
    const after = current
      .catch(() => undefined)
      .then(() => {
        waiting.delete(key);
        return begin(key, run);
      });
    waiting.set(key, after);
    return after;
  };
}
