/** The workflows of a project, as Temporal lists them. */
import type { WorkflowExecutionInfo } from "@temporalio/client";
import type { World } from "./world.js";

/** Every run of a landing, a refresh or an upkeep pass; continued ones too. */
export async function runsOf({ temporal, project }: World): Promise<WorkflowExecutionInfo[]> {
  const runs: WorkflowExecutionInfo[] = [];
  const query = `YokeProject = "${project}"`;
  for await (const run of temporal.workflow.list({ query })) runs.push(run);
  return runs;
}

/** Workflow ids of the landings that Temporal lists, re-land attempts among them. */
export async function landingWorkflows(world: World): Promise<Set<string>> {
  return new Set(
    (await runsOf(world)).filter(({ type }) => type === "landing").map((run) => run.workflowId),
  );
}
