/** The least a durable step costs on this server: a workflow of one activity that does nothing. */
import { proxyActivities } from "@temporalio/workflow";

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: "10s" });

export async function noop(): Promise<void> {
  await nothing();
}
