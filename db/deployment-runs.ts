/** Deployment runs and their members (A14.1). */
import { and, asc, eq, isNull } from "drizzle-orm";
import type { DeploymentMember, DeploymentRun } from "../src/core/release/model.js";
import { inTransaction, type Executor } from "./client.js";
import { first } from "./rows.js";
import { deploymentRunItems, deploymentRuns } from "./schema.js";

/** False: there is a run of this name. */
export async function createDeploymentRun(
  executor: Executor,
  ask: { readonly name: string; readonly project: string; readonly at: string },
): Promise<{ created: boolean }> {
  const rows = await executor
    .insert(deploymentRuns)
    .values({ name: ask.name, project: ask.project, createdAt: ask.at })
    .onConflictDoNothing()
    .returning({ name: deploymentRuns.name });
  return { created: rows.length > 0 };
}

/** `lock` keeps others from changing it or its members until the transaction ends. */
export async function findDeploymentRun(
  executor: Executor,
  ask: { readonly name: string; readonly lock?: boolean },
): Promise<DeploymentRun | null> {
  const query = executor.select().from(deploymentRuns).where(eq(deploymentRuns.name, ask.name));
  return first(ask.lock === true ? await query.for("update") : await query);
}

const current = (run: string) =>
  and(eq(deploymentRunItems.run, run), isNull(deploymentRunItems.removedAt));

/** The current members, in the order they were added. */
export async function listMembers(
  executor: Executor,
  ask: { readonly run: string },
): Promise<DeploymentMember[]> {
  return executor
    .select({
      item: deploymentRunItems.item,
      addedAt: deploymentRunItems.addedAt,
      pullRequest: deploymentRunItems.pullRequest,
      mergeCommit: deploymentRunItems.mergeCommit,
    })
    .from(deploymentRunItems)
    .where(current(ask.run))
    .orderBy(asc(deploymentRunItems.id));
}

/** A repeat adds nothing. */
export async function addMember(
  executor: Executor,
  ask: { readonly run: string; readonly item: string; readonly at: string },
): Promise<{ added: boolean }> {
  const rows = await executor
    .insert(deploymentRunItems)
    .values({ run: ask.run, item: ask.item, addedAt: ask.at })
    .onConflictDoNothing()
    .returning({ item: deploymentRunItems.item });
  return { added: rows.length > 0 };
}

/** False: it was no current member. */
export async function removeMember(
  executor: Executor,
  ask: { readonly run: string; readonly item: string; readonly at: string },
): Promise<{ removed: boolean }> {
  const rows = await executor
    .update(deploymentRunItems)
    .set({ removedAt: ask.at })
    .where(and(current(ask.run), eq(deploymentRunItems.item, ask.item)))
    .returning({ item: deploymentRunItems.item });
  return { removed: rows.length > 0 };
}

/** Admits the run with the landing of each member, in one transaction. A repeat keeps the first admission. */
export async function admitDeploymentRun(
  executor: Executor,
  ask: {
    readonly name: string;
    readonly landings: readonly {
      readonly item: string;
      readonly pullRequest: number;
      readonly mergeCommit: string;
    }[];
    readonly at: string;
  },
): Promise<void> {
  await inTransaction(executor, async (transaction) => {
    const rows = await transaction
      .update(deploymentRuns)
      .set({ admittedAt: ask.at })
      .where(and(eq(deploymentRuns.name, ask.name), isNull(deploymentRuns.admittedAt)))
      .returning({ name: deploymentRuns.name });
    if (rows.length === 0) return;
    for (const { item, pullRequest, mergeCommit } of ask.landings) {
      await transaction
        .update(deploymentRunItems)
        .set({ pullRequest, mergeCommit })
        .where(and(current(ask.name), eq(deploymentRunItems.item, item)));
    }
  });
}
