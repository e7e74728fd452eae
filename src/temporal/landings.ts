/** How landings and refreshes are started: one place for ids, queues, search attributes and words (design.md). */
import type { WorkflowStartOptions } from "@temporalio/client";
import type { landing } from "../../workflows/landing.js";
import { workflowId, type LandingInput } from "../../workflows/names.js";
import type { refresh } from "../../workflows/upkeep.js";
import { yokeItem, yokeProject, yokeState } from "../../workflows/search-attributes.js";

/** Start options of `landing:<item>`, or of a re-land attempt. */
export function landingStart(input: LandingInput, taskQueue: string) {
  return {
    workflowId: workflowId.landing(input.item, input.attempt),
    taskQueue,
    args: [input] as [LandingInput],
    staticSummary:
      input.attempt === undefined
        ? `Landing of ${input.item}`
        : `Landing of ${input.item} again, by pull request ${input.attempt}`,
    typedSearchAttributes: [
      { key: yokeProject, value: input.project },
      { key: yokeItem, value: input.item },
      { key: yokeState, value: "unarmed" },
    ],
  } satisfies WorkflowStartOptions<typeof landing>;
}

/** Start options of `refresh:<project>`. */
export function refreshStart(project: string, taskQueue: string) {
  return {
    workflowId: workflowId.refresh(project),
    taskQueue,
    args: [{ project }] as [{ project: string }],
    staticSummary: `Refresh of ${project} from GitHub`,
    typedSearchAttributes: [{ key: yokeProject, value: project }],
  } satisfies WorkflowStartOptions<typeof refresh>;
}
