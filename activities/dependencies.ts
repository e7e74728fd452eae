/** What activities use. Made once a worker process. */
import type { Executor } from "../db/client.js";
import type { Project } from "../src/core/records.js";
import type { GitCredential, Git } from "../src/git/port.js";
import type { GitHub } from "../src/github/port.js";
import type { LandingInput } from "../workflows/names.js";
import type { FrozenBy, Observation } from "../src/core/landing/model.js";

export interface ActivityDependencies {
  readonly db: Executor;
  /** A client for the project's GitHub; the credential is read from its environment or file, never from a workflow. */
  readonly github: (project: Project) => GitHub;
  readonly gitCredential: (project: Project) => Promise<GitCredential | null>;
  readonly git: Git;
  /** Signal-with-start on the workflow of a landing: a landing whose workflow was lost is taken up again from its record. */
  readonly signalLanding: (landing: LandingInput, observation: Observation) => Promise<void>;
  /** The same with the freeze of the project, or its end (null). */
  readonly signalFreeze: (landing: LandingInput, frozen: FrozenBy | null) => Promise<void>;
  /** ISO 8601, UTC. */
  readonly now: () => string;
}
