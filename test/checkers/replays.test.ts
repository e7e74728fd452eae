import { fileURLToPath } from "node:url";
import { bundleWorkflowCode, DefaultLogger } from "@temporalio/worker";
import { expect, it } from "vitest";
import { stage } from "../workflows/stage.js";
import { replays } from "./replays.js";

it("case E10 a landing that does not replay is seen; with the workflows that wrote it, it does", async () => {
  const on = await stage();
  await on.merge();
  const world = await on.world();
  await expect.poll(() => replays.violations(world), { timeout: 10_000 }).toEqual([]);
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL("../replay/another-order.ts", import.meta.url)),
    logger: new DefaultLogger("WARN"),
  });
  const seen = await replays.violations({ ...world, workflowBundle: { code } });
  expect(seen).toEqual([expect.stringMatching(/^landing:.*[Nn]ondeterminism/)]);
});
