/** Temporal's runtime for the tests of a file. */
import { NativeConnection } from "@temporalio/worker";
import { afterAll, beforeAll } from "vitest";
import { testTemporal } from "./temporal.js";

/**
 * Keeps the runtime until the file or `describe` that calls it ends. It would end with the last worker or replay that
 * uses it, also while another replay begins.
 */
export function keepTemporalRuntime(): void {
  let connection: NativeConnection;
  beforeAll(async () => {
    const { address } = await testTemporal();
    connection = await NativeConnection.connect({ address });
  });
  afterAll(() => connection.close());
}
