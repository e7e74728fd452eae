/** What the services of a test run say of themselves. */

export interface DatabaseService {
  /** A migrated database, to be copied only: a connection to it blocks the copying. */
  readonly templateUrl: string;
}

export interface TemporalService {
  readonly address: string;
  readonly namespace: string;
}

export interface BundleService {
  /** For `workflowBundle: { codePath }` of a worker. */
  readonly codePath: string;
}
