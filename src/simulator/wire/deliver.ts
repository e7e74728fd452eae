/** Sends webhooks. */
import type { WorldOptions } from "../world/requests.js";

/** GitHub waits ten seconds for an answer (github-facts 3.4). */
const PATIENCE_MS = 10_000;

export const deliver: WorldOptions["deliver"] = async (delivery, headers) => {
  const answer = await fetch(delivery.url, {
    method: "POST",
    headers,
    body: delivery.body,
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  // Read to its end, so that the connection is free again.
  await answer.arrayBuffer();
  return { status: answer.status };
};
