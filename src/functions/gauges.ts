/** Numbers for metrics, counted in Postgres when they are asked for. */
import { countLandings } from "../../db/landings.js";
import { countNotices } from "../../db/notices.js";
import { listProjects } from "../../db/projects.js";
import type { Project } from "../core/records.js";
import type { FunctionContext } from "./context.js";

export interface Gauges {
  readonly landings: readonly { readonly phase: string; readonly landings: number }[];
  readonly notices: readonly { readonly state: string; readonly notices: number }[];
  readonly projects: readonly Project[];
}

export async function readGauges(context: FunctionContext): Promise<Gauges> {
  const [landings, notices, projects] = await Promise.all([
    countLandings(context.db),
    countNotices(context.db),
    listProjects(context.db),
  ]);
  return { landings, notices, projects };
}
