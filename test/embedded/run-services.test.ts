import { access } from "node:fs/promises";
import { Connection } from "@temporalio/client";
import { describe, expect, it } from "vitest";
import { testTemporal } from "../setup/temporal.js";
import { workflowBundle } from "../setup/bundle.js";

describe("the services of a test run", () => {
  it("Temporal answers and knows the search attributes", async () => {
    const { address, namespace } = await testTemporal();
    const connection = await Connection.connect({ address });
    try {
      const { customAttributes } = await connection.operatorService.listSearchAttributes({
        namespace,
      });
      expect(Object.keys(customAttributes ?? {})).toEqual(
        expect.arrayContaining(["YokeProject", "YokeItem", "YokePullRequest", "YokeState"]),
      );
    } finally {
      await connection.close();
    }
  });

  it("the workflows are bundled once", async () => {
    const first = await workflowBundle();
    expect(await workflowBundle()).toEqual(first);
    await access(first.codePath);
  });
});
