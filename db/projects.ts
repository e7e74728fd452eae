/** Repositories under yoke's control. */
import { asc, eq, getTableColumns } from "drizzle-orm";
import type { Project } from "../src/core/records.js";
import type { Executor } from "./client.js";
import { first, only } from "./rows.js";
import { projects } from "./schema.js";

const { lastItemNumber: _counter, ...columns } = getTableColumns(projects);

/** How landings are proved and whether branches are deleted have defaults. */
type Choices = "closeOut" | "deleteRemoteBranches";

export type NewProject = Omit<Project, "refreshError" | "refreshedAt" | "createdAt" | Choices> &
  Partial<Pick<Project, Choices>> & { readonly at: string };

/** Violates `projects_pkey`, `projects_connection_unique` or `projects_repository_gate_unique` for one that is there. */
export async function addProject(executor: Executor, project: NewProject): Promise<Project> {
  const { at, ...given } = project;
  const rows = await executor
    .insert(projects)
    .values({ ...given, createdAt: at })
    .returning(columns);
  return only(rows, `project ${project.key}`);
}

export async function findProject(
  executor: Executor,
  ask: { readonly key: string },
): Promise<Project | null> {
  return first(await executor.select(columns).from(projects).where(eq(projects.key, ask.key)));
}

/** By the connection id in a webhook's URL. */
export async function findProjectByConnection(
  executor: Executor,
  ask: { readonly connection: string },
): Promise<Project | null> {
  return first(
    await executor.select(columns).from(projects).where(eq(projects.connection, ask.connection)),
  );
}

/** By key. */
export async function listProjects(executor: Executor): Promise<Project[]> {
  return executor.select(columns).from(projects).orderBy(asc(projects.key));
}

/** Says why the project could not be read from GitHub (A5.10). `refreshedAt` stays what it was. */
export async function setRefreshError(
  executor: Executor,
  error: {
    readonly project: string;
    readonly code: string;
    readonly message: string;
    readonly at: string;
  },
): Promise<void> {
  const { project, code, message, at } = error;
  await executor
    .update(projects)
    .set({ refreshError: { code, message, at } })
    .where(eq(projects.key, project));
}

/**
 * The project was read from GitHub in full at this time: there is no refresh error, and its landing records are that
 * fresh (A4.2). The one row that a pass without news writes.
 */
export async function clearRefreshError(
  executor: Executor,
  ask: { readonly project: string; readonly at: string },
): Promise<void> {
  await executor
    .update(projects)
    .set({ refreshError: null, refreshedAt: ask.at })
    .where(eq(projects.key, ask.project));
}
