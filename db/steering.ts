/** What was said to a project's steering seat (A6.4, A9.5). */
import { asc, eq, getTableColumns } from "drizzle-orm";
import type { Executor } from "./client.js";
import { only } from "./rows.js";
import { steeringMessages } from "./schema.js";

export interface SteeringMessage {
  readonly id: string;
  readonly project: string;
  readonly item: string | null;
  /** Null for a person without a session. */
  readonly fromSession: string | null;
  readonly text: string;
  readonly saidAt: string;
}

const { sequence: _sequence, ...columns } = getTableColumns(steeringMessages);

export async function sayToSteering(
  executor: Executor,
  message: Omit<SteeringMessage, "saidAt"> & { readonly at: string },
): Promise<SteeringMessage> {
  const { at, ...given } = message;
  const rows = await executor
    .insert(steeringMessages)
    .values({ ...given, saidAt: at })
    .returning(columns);
  return only(rows, `message ${message.id}`);
}

/** In the order they were said. */
export async function listSteeringMessages(
  executor: Executor,
  ask: { readonly project: string },
): Promise<SteeringMessage[]> {
  return executor
    .select(columns)
    .from(steeringMessages)
    .where(eq(steeringMessages.project, ask.project))
    .orderBy(asc(steeringMessages.sequence));
}
