/** What the checkers look at after a story: the records, the workflows, and the outside parties that are there. */
import type { Client } from "@temporalio/client";
import type { WorkflowBundleOption } from "@temporalio/worker";
import type { Executor } from "../../db/client.js";
import { findProject } from "../../db/projects.js";
import type { Project } from "../../src/core/records.js";
import type { Services } from "../../src/simulator/wire/services.js";
import type { Repository } from "../../src/simulator/world/model.js";

export interface World {
  readonly db: Executor;
  readonly temporal: Client;
  readonly project: string;
  readonly workflowBundle: WorkflowBundleOption;
  /** Null before a scripted GitHub, which has no branch and no log to look at. */
  readonly simulator: Simulated | null;
  /** The repository that has the lanes as its worktrees; null before a scripted git. */
  readonly clone: string | null;
  /** Commits of the gate branch that people put there, without yoke. */
  readonly byPeople?: readonly string[];
  /** Items whose lane is meant to be kept though they landed. */
  readonly keptLanes?: readonly string[];
  /** Keys that a holder's HTTP wake route received, one list a holder, repeats left in. */
  readonly mailboxes?: readonly (readonly string[])[];
}

export interface Simulated {
  readonly services: Services;
  readonly repository: Repository;
}

/** A rule, and what breaks it: nothing when the world is as it should be. */
export interface Rule<On extends World = World> {
  readonly name: string;
  readonly violations: (world: On) => Promise<readonly string[]>;
}

export type SimulatedWorld = World & { readonly simulator: Simulated };
export type ClonedWorld = World & { readonly clone: string };

export async function projectOf({ db, project }: World): Promise<Project> {
  const stored = await findProject(db, { key: project });
  if (stored === null) throw new Error(`project ${project} has no row`);
  return stored;
}
