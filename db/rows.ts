/** Reading rows. */

/** The first row, for statements that must give one: `what` names it when there is none. */
export function only<T>(rows: readonly T[], what: string): T {
  const [row] = rows;
  if (row === undefined) throw new Error(`${what} has no row`);
  return row;
}

/** The first row or null, for statements that may find nothing. */
export function first<T>(rows: readonly T[]): T | null {
  return rows[0] ?? null;
}
