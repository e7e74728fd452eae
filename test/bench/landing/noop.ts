/** One landing's wall time over that of a one-activity workflow, alternating on the same server. */
import { fileURLToPath } from "node:url";
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from "@temporalio/worker";
import { figure, median, type Figure } from "../figures.js";
import type { Instance } from "../instance.js";
import type { Say } from "../main.js";
import type { noop } from "./noop-workflow.js";
import type { Lanes } from "./together.js";

const rounds = 7;
const taskQueue = "bench-noop";

export async function benchNoop(instance: Instance, lanes: Lanes, say: Say): Promise<Figure[]> {
  say(`${rounds} landings and ${rounds} workflows of one activity, in turn`);
  Runtime.install({ logger: new DefaultLogger("WARN") });
  const connection = await NativeConnection.connect({ address: instance.services.temporalAddress });
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL("noop-workflow.js", import.meta.url)),
      logger: new DefaultLogger("WARN"),
    }),
    activities: { nothing: () => Promise.resolve() },
  });
  const { client } = instance.temporal;
  const landed: number[] = [];
  const done: number[] = [];
  await worker.runUntil(async () => {
    for (let round = 0; round < rounds; round += 1) {
      const workflowId = `bench-noop:${round}`;
      done.push(
        await timed(() => client.workflow.execute<typeof noop>("noop", { taskQueue, workflowId })),
      );
      const lane = await lanes.add();
      landed.push(await timed(() => lanes.land(lane)));
    }
  });
  await connection.close();
  return [
    figure("noop_workflow_ratio", median(landed) / median(done), "ratio"),
    figure("landing_ms", median(landed), "ms"),
    figure("noop_workflow_ms", median(done), "ms"),
  ];
}

/** Milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
