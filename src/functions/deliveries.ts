/** What the webhook door keeps in Postgres, so that no delivery is lost and none is trusted too far (B5.1, case E01). */
import {
  connectionsWithUnprocessed,
  forgetProcessed,
  markAllProcessed,
  markProcessed,
  receiveDelivery,
} from "../../db/deliveries.js";
import { openPullRequests } from "../../db/landings.js";
import { findProjectByConnection } from "../../db/projects.js";
import type { Project } from "../core/records.js";
import type { FunctionContext } from "./context.js";

export interface ReceivedDelivery {
  /** GitHub's `X-GitHub-Delivery`. */
  readonly guid: string;
  readonly connection: string;
  readonly event: string;
  readonly action: string | null;
}

export async function projectOfConnection(
  context: FunctionContext,
  connection: string,
): Promise<Project | null> {
  return findProjectByConnection(context.db, { connection });
}

/** `fresh`: it must be handled. False only for one that was handled to the end before. */
export async function recordDelivery(
  context: FunctionContext,
  delivery: ReceivedDelivery,
): Promise<{ fresh: boolean }> {
  return receiveDelivery(context.db, { ...delivery, at: context.now() });
}

/** Of these pull requests those that a registered open landing waits for (A4.1). One query. */
export async function awaitedPullRequests(
  context: FunctionContext,
  project: string,
  numbers?: readonly number[],
): Promise<readonly number[]> {
  return openPullRequests(context.db, { project, numbers });
}

export async function deliveryHandled(
  context: FunctionContext,
  { guid, connection }: ReceivedDelivery,
): Promise<void> {
  await markProcessed(context.db, { guid, connection, at: context.now() });
}

/**
 * Handles what was received up to this time and never marked. A delivery is only a reason to read, and what it spoke of
 * is not kept, so `wake` is given every pull request of the project that a landing waits for. Rejects with the first
 * connection that failed; the others are done.
 */
export async function handleUnprocessed(
  context: FunctionContext,
  receivedUpTo: string,
  wake: (project: string, pullRequests: readonly number[]) => Promise<void>,
): Promise<number> {
  const connections = await connectionsWithUnprocessed(context.db, { receivedUpTo });
  const handled = await Promise.allSettled(
    connections.map(async (connection) => {
      const project = await projectOfConnection(context, connection);
      if (project !== null) {
        await wake(project.key, await awaitedPullRequests(context, project.key));
      }
      return markAllProcessed(context.db, { connection, receivedUpTo, at: context.now() });
    }),
  );
  const failure = handled.find((one) => one.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return handled.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value : 0), 0);
}

/** GitHub redelivers for a few days; after this many a delivery id is never seen again. */
const KEPT_DAYS = 30;

export async function forgetOldDeliveries(context: FunctionContext): Promise<void> {
  const processedBefore = new Date(Date.parse(context.now()) - KEPT_DAYS * 86_400_000);
  await forgetProcessed(context.db, { processedBefore: processedBefore.toISOString() });
}
