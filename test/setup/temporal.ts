/** The Temporal server of this test run, in memory. Workflow ids and task queues of a test must be its own. */
import type { TemporalService } from "./answers.js";
import { ask } from "./ask.js";

export async function testTemporal(): Promise<TemporalService> {
  return ask<TemporalService>("temporal");
}
