/**
 * Timeouts and retries of every activity, by kind of work (style.md "Activities"). Plain data: workflows
 * import it, so nothing here may touch the outside.
 */

/** After this silence a worker is taken to be gone and its activity is given to another (`src/worker/heartbeats.ts`). */
const heartbeatTimeout = "5s";

export const profiles = {
  /** Postgres: short; retried until the database is back (case E04). */
  database: {
    startToCloseTimeout: "15s",
    heartbeatTimeout,
    retry: { initialInterval: "200ms", backoffCoefficient: 2, maximumInterval: "5s" },
  },
  /** A GitHub read somebody waits for: a few tries, then the refusal says so. */
  githubRead: {
    startToCloseTimeout: "30s",
    heartbeatTimeout,
    retry: {
      initialInterval: "500ms",
      backoffCoefficient: 2,
      maximumInterval: "5s",
      maximumAttempts: 4,
    },
  },
  /** A GitHub write: sent once for each reservation; a retry of the activity only finds its own trace (case E09). */
  githubWrite: {
    startToCloseTimeout: "30s",
    heartbeatTimeout,
    retry: { initialInterval: "500ms", backoffCoefficient: 2, maximumInterval: "5s" },
  },
  /** Letting go of a pull request: reads before it writes, so a few tries are safe; then the holder is told. */
  disarm: {
    startToCloseTimeout: "60s",
    heartbeatTimeout,
    retry: {
      initialInterval: "500ms",
      backoffCoefficient: 2,
      maximumInterval: "5s",
      maximumAttempts: 3,
    },
  },
  /** A rerun of checks: reads before it writes, and each write is reserved, so a few tries are safe. */
  rerun: {
    startToCloseTimeout: "60s",
    heartbeatTimeout,
    retry: {
      initialInterval: "500ms",
      backoffCoefficient: 2,
      maximumInterval: "5s",
      maximumAttempts: 3,
    },
  },
  /** Giving a reservation back at the end of a command: a few tries, then the command names the reservation (A9.3). */
  release: {
    startToCloseTimeout: "15s",
    heartbeatTimeout,
    retry: {
      initialInterval: "200ms",
      backoffCoefficient: 2,
      maximumInterval: "5s",
      maximumAttempts: 5,
    },
  },
  /** A pass over a project: backs off as GitHub says; the next pass is a minute away. */
  upkeep: {
    startToCloseTimeout: "5m",
    heartbeatTimeout,
    retry: {
      initialInterval: "1s",
      backoffCoefficient: 2,
      maximumInterval: "30s",
      maximumAttempts: 3,
    },
  },
  /** A notice by the holder's wake route. What still fails is tried again on the next observation (A4.6). */
  notice: {
    startToCloseTimeout: "30s",
    heartbeatTimeout,
    retry: {
      initialInterval: "500ms",
      backoffCoefficient: 2,
      maximumInterval: "10s",
      maximumAttempts: 4,
    },
  },
  /** Git on the host that has the lane: that host must answer soon, then the work may take its time. */
  laneHost: {
    scheduleToStartTimeout: "20s",
    startToCloseTimeout: "10m",
    heartbeatTimeout,
    retry: { initialInterval: "1s", backoffCoefficient: 2, maximumAttempts: 3 },
  },
  /** Git of the local queue: tried again until a runner is back, since what it does is found again by evidence in git. */
  queueGit: {
    startToCloseTimeout: "10m",
    heartbeatTimeout,
    retry: { initialInterval: "500ms", backoffCoefficient: 2, maximumInterval: "10s" },
  },
  /** A gate, and perhaps its baseline: the gate's own timeouts end it long before. */
  queueGate: {
    // A run that is ended waits until its gates are, and their worktrees are gone.
    cancellationType: "WAIT_CANCELLATION_COMPLETED",
    startToCloseTimeout: "24h",
    heartbeatTimeout,
    retry: { initialInterval: "500ms", backoffCoefficient: 2, maximumInterval: "10s" },
  },
} as const;
