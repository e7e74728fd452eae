/** Column types that differ from drizzle's own in what they let in and what they give back. */
import { sql, type SQL } from "drizzle-orm";
import { customType, type AnyPgColumn } from "drizzle-orm/pg-core";

/** A point in time: ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => "timestamp (3) with time zone",
  fromDriver: (stored) => new Date(stored).toISOString(),
});

/**
 * Text that others wrote (titles, what a program said). Postgres takes neither NUL nor half a surrogate pair, and one
 * such character in a check's output must not keep a landing from being stored: it becomes U+FFFD.
 */
export const words = customType<{ data: string; driverData: string }>({
  dataType: () => "text",
  toDriver: storable,
});

/** A `jsonb` column; its shape is given with `$type`. The strings in it are treated as `words`. */
export const json = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => "jsonb",
  toDriver: jsonText,
});

/** JSON that Postgres accepts as `jsonb`. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "string" ? storable(member) : member,
  );
}

function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD").replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** The condition of a CHECK that a column holds one of these words. */
export function oneOf(column: AnyPgColumn, known: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(known.map((word) => `'${word}'`).join(", "))})`;
}
