/** Who is at work: sessions with what they hold and what they owe. Read from Postgres only (A4.1). */
import { listClaims } from "../../db/claims.js";
import { listItems } from "../../db/items.js";
import { listLandings } from "../../db/landings.js";
import { listProjects } from "../../db/projects.js";
import { listSessions } from "../../db/sessions.js";
import { byItem, landingInCharge } from "../core/landing/landings-of-item.js";
import type { Item, Session } from "../core/records.js";
import type { FunctionContext } from "./context.js";
import { holderDuty, type HolderDuty } from "./holder-duty.js";

export interface RosterEntry {
  readonly session: Session;
  readonly duties: readonly HolderDuty[];
  readonly doing: "idle" | "awaiting_landing" | "working" | "ended";
}

export interface Roster {
  readonly entries: readonly RosterEntry[];
  /** Items nobody holds and that have not landed. */
  readonly unclaimed: readonly Item[];
}

/** Sessions of a project, those without one, and those that hold an item of it; or all. */
export async function readRoster(context: FunctionContext, project?: string): Promise<Roster> {
  const { db } = context;
  const [sessions, claims, records, keys] = await Promise.all([
    listSessions(db),
    listClaims(db, { project }),
    listLandings(db, { project }),
    project === undefined
      ? listProjects(db).then((projects) => projects.map(({ key }) => key))
      : [project],
  ]);
  const items = (await Promise.all(keys.map((key) => listItems(db, { project: key })))).flat();
  const itemOf = new Map(items.map((item) => [item.key, item]));
  const recordOf = byItem(records, landingInCharge);
  const duties = new Map<string, HolderDuty[]>();
  for (const { item: key, session } of claims) {
    const item = itemOf.get(key);
    if (item === undefined) continue;
    const duty = holderDuty(item, recordOf.get(key) ?? null);
    duties.set(session, [...(duties.get(session) ?? []), duty]);
  }
  const held = new Set(claims.map(({ item }) => item));
  return {
    entries: sessions
      .filter(
        (session) =>
          project === undefined ||
          session.project === project ||
          (session.project === null && session.state === "active") ||
          duties.has(session.id),
      )
      .map((session) => entryOf(session, duties.get(session.id) ?? [])),
    unclaimed: items.filter(({ key, status }) => status !== "landed" && !held.has(key)),
  };
}

/** Who has nothing to do but wait, and for which items; those that have landed are not among them. */
export function awaitingLanding({
  entries,
}: Roster): { readonly session: string; readonly items: string[] }[] {
  return entries
    .filter(({ doing }) => doing === "awaiting_landing")
    .map(({ session, duties }) => ({
      session: session.id,
      items: duties.filter(({ duty }) => duty === "awaiting_landing").map(({ item }) => item),
    }));
}

/** A session that waits for one landing and works on another item is at work. */
function entryOf(session: Session, duties: readonly HolderDuty[]): RosterEntry {
  const open = duties.filter(({ duty }) => duty !== "done");
  const doing =
    session.state === "ended"
      ? "ended"
      : open.length === 0
        ? "idle"
        : open.every(({ duty }) => duty === "awaiting_landing")
          ? "awaiting_landing"
          : "working";
  return { session, duties, doing };
}
