/** Records that a function cannot go on without. Each throws `Refused` for one that is not there. */
import { findItem } from "../../db/items.js";
import { findProject } from "../../db/projects.js";
import { findSession } from "../../db/sessions.js";
import type { Item, Project, Session } from "../core/records.js";
import { refuse } from "../core/refusals.js";
import { Refused, type FunctionContext } from "./context.js";

export async function storedProject(context: FunctionContext, key: string): Promise<Project> {
  const project = await findProject(context.db, { key });
  if (project !== null) return project;
  throw new Refused([
    refuse("project_unknown", `No project has the key ${key}.`, { project: key }),
  ]);
}

export async function storedItem(context: FunctionContext, key: string): Promise<Item> {
  const item = await findItem(context.db, { key });
  if (item !== null) return item;
  throw new Refused([refuse("item_unknown", `${key} is not an item.`, { item: key })]);
}

/** An active session: `given`, or else the one that asks. */
export async function actingSession(context: FunctionContext, given?: string): Promise<Session> {
  const id = given ?? context.session;
  if (id === null) {
    throw new Refused([refuse("session_missing", "The request names no session.")]);
  }
  const session = await findSession(context.db, { id });
  if (session?.state === "active") return session;
  const what = session === null ? `No session has the id ${id}.` : `Session ${id} has ended.`;
  throw new Refused([refuse("session_unknown", what, { session: id })]);
}
