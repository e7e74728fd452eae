/** Every project has an upkeep schedule, also one that was added while Temporal was away (A4.1). */
import { listProjects } from "../../db/projects.js";
import type { FunctionContext } from "./context.js";

/**
 * Makes the schedules of the projects that are not in `made`, and puts them there. Making one that stands already
 * changes nothing.
 */
export async function ensureSchedules(context: FunctionContext, made: Set<string>): Promise<void> {
  for (const project of await listProjects(context.db)) {
    if (made.has(project.key)) continue;
    await context.landings.ensureUpkeep(project);
    made.add(project.key);
  }
}
