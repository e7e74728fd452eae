/** Freezes of projects (A16.3). Whether one still lasts is asked of the core, with the time. */
import { and, eq, isNull } from "drizzle-orm";
import type { Freeze } from "../src/core/landing/freeze.js";
import { inTransaction, type Executor } from "./client.js";
import { first } from "./rows.js";
import { projectFreezes, projects } from "./schema.js";

const standing = (project: string) =>
  and(eq(projectFreezes.project, project), isNull(projectFreezes.liftedAt));

/** The project's freeze that nobody lifted; its own end may have passed. */
export async function findFreeze(
  executor: Executor,
  ask: { readonly project: string },
): Promise<Freeze | null> {
  return first(
    await executor
      .select({
        reason: projectFreezes.reason,
        until: projectFreezes.until,
        drain: projectFreezes.drain,
        by: projectFreezes.frozenBy,
        at: projectFreezes.frozenAt,
      })
      .from(projectFreezes)
      .where(standing(ask.project)),
  );
}

/** Freezes the project; an earlier freeze is lifted by it. */
export async function freezeProject(
  executor: Executor,
  freeze: Freeze & { readonly project: string },
): Promise<void> {
  const { project, reason, until, drain, by, at } = freeze;
  await inTransaction(executor, async (transaction) => {
    // Two that freeze at once come one after the other.
    await transaction
      .select({ key: projects.key })
      .from(projects)
      .where(eq(projects.key, project))
      .for("update");
    await transaction
      .update(projectFreezes)
      .set({ liftedAt: at, liftedBy: by, liftedReason: "another freeze took its place" })
      .where(standing(project));
    await transaction
      .insert(projectFreezes)
      .values({ project, reason, until, drain, frozenBy: by, frozenAt: at });
  });
}

/** Lifts the freeze; false when there is none. */
export async function liftFreeze(
  executor: Executor,
  ask: {
    readonly project: string;
    readonly by: string | null;
    readonly reason: string | null;
    readonly at: string;
  },
): Promise<boolean> {
  const { project, by, reason, at } = ask;
  const rows = await executor
    .update(projectFreezes)
    .set({ liftedAt: at, liftedBy: by, liftedReason: reason })
    .where(standing(project))
    .returning({ id: projectFreezes.id });
  return rows.length > 0;
}
