/**
 * What happens to a delivery after it was answered (B5.3): it touches the project's refresh, and only then counts as
 * handled. One that this process could not finish stays unhandled in Postgres and is tried again, by this process or
 * the next (case E01).
 */
import type { FunctionContext } from "../functions/context.js";
import {
  awaitedPullRequests,
  deliveryHandled,
  forgetOldDeliveries,
  handleUnprocessed,
  type ReceivedDelivery,
} from "../functions/deliveries.js";
import { createCoalescer } from "./coalesce.js";
import type { Log } from "./log.js";
import { repeat } from "./repeat.js";

export interface IntakeOptions {
  readonly context: () => FunctionContext;
  readonly log: Log;
  /** Milliseconds between two looks for deliveries that were not finished. */
  readonly recoverEveryMs?: number;
  /** Younger ones are still being handled by whoever received them (case E02). */
  readonly youngMs?: number;
}

export interface Intake {
  /** Starts the handling and returns. */
  accept(
    delivery: ReceivedDelivery & {
      readonly project: string;
      readonly pullRequests: readonly number[];
      readonly urgent: boolean;
    },
  ): void;
  /** Starts looking for unfinished deliveries; the first look takes all there are. */
  start(): void;
  /** Stops looking, and waits for what was accepted; whoever stops bounds the wait. */
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;

export function createIntake(options: IntakeOptions): Intake {
  const { context, log, recoverEveryMs = 15_000, youngMs = 45_000 } = options;
  const coalescer = createCoalescer({
    send: (project, pullRequests) => context().landings.touch(project, pullRequests),
  });
  const underWay = new Set<Promise<void>>();
  const repeated: { stop(): Promise<void> }[] = [];

  async function handle(delivery: Parameters<Intake["accept"]>[0]): Promise<void> {
    const { guid, event, project, pullRequests, urgent } = delivery;
    try {
      const awaited = await awaitedPullRequests(context(), project, pullRequests);
      await coalescer.add(project, awaited, { urgent });
      await deliveryHandled(context(), delivery);
    } catch (error) {
      log.warn({ err: error, guid, event, project }, "delivery not handled; it is tried again");
    }
  }

  return {
    accept(delivery) {
      const handled = handle(delivery).finally(() => underWay.delete(handled));
      underWay.add(handled);
    },
    start() {
      let first = true;
      repeated.push(
        repeat({
          everyMs: recoverEveryMs,
          failed: (error) => log.warn({ err: error }, "unfinished deliveries are tried again"),
          run: async () => {
            const now = Date.parse(context().now());
            const receivedUpTo = new Date(first ? now : now - youngMs).toISOString();
            const count = await handleUnprocessed(context(), receivedUpTo, (project, numbers) =>
              coalescer.add(project, numbers),
            );
            first = false;
            if (count > 0) log.info({ count }, "handled deliveries that were not finished before");
          },
        }),
        repeat({
          everyMs: DAY_MS,
          retryMs: 60_000,
          failed: (error) => log.warn({ err: error }, "old deliveries were not forgotten"),
          run: () => forgetOldDeliveries(context()),
        }),
      );
    },
    async stop() {
      await Promise.all(repeated.map((one) => one.stop()));
      await Promise.all(underWay);
    },
  };
}
