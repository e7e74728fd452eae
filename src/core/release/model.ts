/** Releases and epics as plain data. */

export interface DeploymentRun {
  readonly name: string;
  readonly project: string;
  readonly createdAt: string;
  readonly admittedAt: string | null;
}

export interface DeploymentMember {
  readonly item: string;
  readonly addedAt: string;
  /** The landing that the run was admitted with; null before. */
  readonly pullRequest: number | null;
  readonly mergeCommit: string | null;
}

/** The merge that first carried a lane's candidate (A13.1). */
export interface ItemLanding {
  readonly item: string;
  readonly branch: string;
  readonly candidate: string;
  readonly carriedBy: string;
  readonly recordedAt: string;
}

/** A path or a migration that an item keeps for itself while it is built. */
export interface TerritoryClaim {
  readonly project: string;
  readonly item: string;
  readonly kind: "path" | "migration";
  readonly name: string;
  readonly claimedAt: string;
}
