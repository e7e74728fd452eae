/** Work that is done again and again while the server runs, and again sooner after a failure, ever more slowly. */
export interface RepeatOptions {
  readonly run: () => Promise<void>;
  readonly everyMs: number;
  /** First pause after a failure; it doubles up to `everyMs`, or a minute when that is longer. */
  readonly retryMs?: number;
  readonly failed: (error: unknown) => void;
}

export interface Repeated {
  /** Waits for a run that is under way; none starts after it. */
  stop(): Promise<void>;
}

/** Starts at once. */
export function repeat(options: RepeatOptions): Repeated {
  const { run, everyMs, retryMs = 1000, failed } = options;
  const longest = Math.max(everyMs, 60_000);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;

  async function once(): Promise<void> {
    try {
      await run();
      failures = 0;
    } catch (error) {
      failures += 1;
      failed(error);
    }
    if (stopped) return;
    const pause = failures === 0 ? everyMs : Math.min(retryMs * 2 ** (failures - 1), longest);
    timer = setTimeout(() => {
      current = once();
    }, pause);
    timer.unref();
  }

  let current = once();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
