/** The workflows, bundled once a run: `workflowBundle: await workflowBundle()` of a worker. */
import type { BundleService } from "./answers.js";
import { ask } from "./ask.js";

export async function workflowBundle(): Promise<BundleService> {
  return ask<BundleService>("bundle");
}
