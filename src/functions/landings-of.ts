/** Which workflow an item's requests go to: its first landing's, or that of a re-land attempt (A10). */
import { listLandings } from "../../db/landings.js";
import type { LandingInput } from "../../workflows/names.js";
import type { LandingRecord, Project } from "../core/records.js";
import type { FunctionContext } from "./context.js";

export async function landingsOf(context: FunctionContext, item: string): Promise<LandingRecord[]> {
  return listLandings(context.db, { items: [item] });
}

/** The input of the workflow that takes requests about this landing; null: the item's first. */
export function landingInput(
  project: Project,
  item: string,
  landing: Pick<LandingRecord, "attempt"> | null,
): LandingInput {
  const attempt = landing?.attempt ?? 0;
  const { key, gateBranch } = project;
  return { project: key, item, gateBranch, ...(attempt === 0 ? {} : { attempt }) };
}
