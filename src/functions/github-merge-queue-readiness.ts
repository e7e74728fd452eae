/** `github.merge_queue.readiness`: whether the queue can take landings, and where an item's own stands. Reads only (A2.4). */
import { z } from "zod";
import { readiness } from "../core/gate/readiness.js";
import type { GroupReport } from "../core/gate/reporting.js";
import { shownLanding } from "../core/landing/landings-of-item.js";
import { githubFault } from "../core/github-fault.js";
import type { Project } from "../core/records.js";
import { EXIT, refuse } from "../core/refusals.js";
import { Refused, type FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { readGate } from "./gate-of-project.js";
import { itemKey, projectKey } from "./input-shapes.js";
import { landingsOf } from "./landings-of.js";
import { landingViewSchema, viewOfRecord } from "./landing-view.js";
import { storedItem, storedProject } from "./stored.js";

export const githubMergeQueueReadiness = defineFunction({
  name: "github.merge_queue.readiness",
  since: "0.2.0",
  summary:
    "Say whether the gate branch's queue can take landings, and where an item's landing stands.",
  effect: "read",
  input: z.strictObject({ project: projectKey.optional(), item: itemKey.optional() }),
  output: z.object({
    project: z.string(),
    gateBranch: z.string(),
    ready: z.boolean(),
    checks: z.array(
      z.object({
        name: z.string(),
        state: z.enum(["ok", "fail", "unknown"]),
        text: z.string(),
        next: z.string().nullable(),
      }),
    ),
    landing: landingViewSchema.nullable(),
  }),
  exit: ({ ready }) => (ready ? EXIT.ok : EXIT.failed),
  async run(context, input) {
    const project = await projectOf(context, input);
    const gate = await readGate(context, project);
    const checks = readiness({
      project: project.key,
      gateBranch: project.gateBranch,
      gate,
      queueEnabled: gate.queueEnabled,
      autoMergeAllowed: gate.autoMergeAllowed,
      groups: await groupsOf(context, project),
    });
    const record =
      input.item === undefined ? null : shownLanding(await landingsOf(context, input.item));
    return {
      project: project.key,
      gateBranch: project.gateBranch,
      ready: checks.every(({ state }) => state !== "fail"),
      checks: [...checks],
      landing: record === null ? null : viewOfRecord(record),
    };
  },
});

async function projectOf(
  context: FunctionContext,
  { project, item }: { readonly project?: string | undefined; readonly item?: string | undefined },
): Promise<Project> {
  const key = item === undefined ? project : (await storedItem(context, item)).project;
  if (key !== undefined) return storedProject(context, key);
  throw new Refused([refuse("project_missing", "Neither a project nor an item was named.")]);
}

/** Null when they cannot be read: the other lines still say something. */
async function groupsOf(
  context: FunctionContext,
  project: Project,
): Promise<readonly GroupReport[] | null> {
  try {
    return await context.github(project).groupReports(project, project.gateBranch);
  } catch (error) {
    if (githubFault(error) === null) throw error;
    return null;
  }
}
