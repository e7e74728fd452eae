/** Qualifications: what was verified, and whether it passed. Append-only. */
import { desc, eq, getTableColumns } from "drizzle-orm";
import type { Qualification } from "../src/core/records.js";
import type { Executor } from "./client.js";
import { only } from "./rows.js";
import { qualifications } from "./schema.js";

const { sequence: _sequence, ...columns } = getTableColumns(qualifications);

export async function recordQualification(
  executor: Executor,
  qualification: Omit<Qualification, "recordedAt"> & { readonly at: string },
): Promise<Qualification> {
  const { at, ...given } = qualification;
  const rows = await executor
    .insert(qualifications)
    .values({ ...given, recordedAt: at })
    .returning(columns);
  return only(rows, `qualification ${qualification.id}`);
}

/** Newest first, in order of arrival. */
export async function listQualifications(
  executor: Executor,
  ask: { readonly item: string },
): Promise<Qualification[]> {
  return executor
    .select(columns)
    .from(qualifications)
    .where(eq(qualifications.item, ask.item))
    .orderBy(desc(qualifications.sequence));
}
