import { refuse } from "../core/refusals.js";
import { Refused } from "../functions/context.js";

/** The refusal to give when the embedded Postgres cannot be started, with what was seen. */
export function postgresStartFailed(message: string): Refused {
  return new Refused([refuse("postgres_start_failed", message)]);
}
