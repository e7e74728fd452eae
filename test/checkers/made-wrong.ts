/** Records that are wrong for as long as somebody looks at them. */
import { sql, type SQL } from "drizzle-orm";
import { inTransaction, type Executor } from "../../db/client.js";

/**
 * Runs `statements` with the guards of the database off, gives the wrong records to `look`, and takes everything back:
 * the story that they belong to still ends in a world that is as it should be.
 */
export async function madeWrong<T>(
  db: Executor,
  statements: readonly SQL[],
  look: (wrong: Executor) => Promise<T>,
): Promise<T> {
  const takenBack = new Error("taken back");
  let seen: { readonly value: T } | null = null;
  try {
    await inTransaction(db, async (transaction) => {
      // Triggers and foreign keys are off for this transaction only.
      await transaction.execute(sql`set local session_replication_role = replica`);
      for (const statement of statements) await transaction.execute(statement);
      seen = { value: await look(transaction) };
      throw takenBack;
    });
  } catch (error) {
    if (error !== takenBack) throw error;
  }
  if (seen === null) throw new Error("nobody looked");
  return (seen as { readonly value: T }).value;
}
