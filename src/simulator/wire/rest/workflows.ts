/** Workflows and their dispatch. */
import { z } from "zod";

import type { Workflow } from "../../world/model.js";
import { workflowPayload } from "../../world/payloads/workflow.js";
import { Refusal } from "../../world/refusal.js";
import { type Answer, empty, json } from "../http/answer.js";
import type { RestCall } from "./call.js";
import { counted } from "./paging.js";
import { reading, writing } from "./repository-routes.js";
import { listRuns } from "./runs.js";

export const workflowRoutes = [
  reading("/actions/workflows", "actions", (call) =>
    counted(call, "workflows", call.world.workflows(call.repository), (one) =>
      workflowPayload(call.world.insides, call.state, one),
    ),
  ),
  reading("/actions/workflows/{workflow_id}", "actions", (call) =>
    json(200, workflowPayload(call.world.insides, call.state, requireWorkflow(call))),
  ),
  reading("/actions/workflows/{workflow_id}/runs", "actions", (call) => {
    const { id } = requireWorkflow(call);
    return listRuns(call, (run) => run.workflowId === id);
  }),
  writing("POST", "/actions/workflows/{workflow_id}/dispatches", "actions", dispatch),
];

const input = z.object({
  ref: z.string(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  return_run_details: z.boolean().default(false),
});

async function dispatch(call: RestCall): Promise<Answer> {
  const { ref, return_run_details } = await call.input(input);
  const run = await call.world.dispatchWorkflow(call.repository, {
    workflow: call.param("workflow_id"),
    ref,
    actor: call.actor,
  });
  // The later version always tells the run (github-facts 2.1).
  const always = call.incoming.header("x-github-api-version") === "2026-03-10";
  if (!return_run_details && !always) return empty(204);
  return json(200, {
    workflow_run_id: run.id,
    run_url: `${call.links.api}/actions/runs/${run.id}`,
    html_url: `${call.links.html}/actions/runs/${run.id}`,
  });
}

/** By id, or by its file's name. */
function requireWorkflow(call: RestCall): Workflow {
  const asked = call.param("workflow_id");
  const found = call.world
    .workflows(call.repository)
    .find(({ id, script }) => String(id) === asked || script.path.split("/").at(-1) === asked);
  if (found === undefined) throw new Refusal("NOT_FOUND", "Not Found");
  return found;
}
