/** What a function of the action core may use. Made once a process; never a global. */
import type { Executor } from "../../db/client.js";
import type {
  HoldAnswer,
  HoldRequest,
  LandingInput,
  MergeAnswer,
  MergeRequest,
  RefreshAnswer,
} from "../../workflows/names.js";
import type { LandingView } from "../../workflows/names.js";
import type { Project } from "../core/records.js";
import type { Refusal } from "../core/refusals.js";
import type { GitHub } from "../github/port.js";

/** Temporal as the functions see it: requests to workflows by business key. Refusals come back as values. */
/** Every call ends within a bound of its own. */
export interface LandingService {
  /** Update-with-start on the landing's workflow. Throws `Refused` with `no_worker`, `temporal_unavailable`, … */
  merge(request: MergeRequest, landing: LandingInput, updateId: string): Promise<MergeAnswer>;
  hold(request: HoldRequest, landing: LandingInput): Promise<HoldAnswer>;
  /** Of the item's first landing, or of the attempt of this pull request. */
  view(item: string, attempt?: number): Promise<LandingView | null>;
  /** Signal-with-start on `refresh:<project>` (webhooks). */
  touch(project: string, pullRequests: readonly number[]): Promise<void>;
  /** Update-with-start on `refresh:<project>`; concurrent waiters share one pass (A4.3). */
  refreshAll(project: string): Promise<RefreshAnswer>;
  /** Creates or updates the project's upkeep schedule (A4.1). */
  ensureUpkeep(project: Project): Promise<void>;
  /** Task queues and how many pollers each has now (style.md "doctor", case E17). */
  pollers(hosts: readonly string[]): Promise<readonly { queue: string; pollers: number }[]>;
}

export interface FunctionContext {
  readonly db: Executor;
  readonly landings: LandingService;
  /** A client for the project's GitHub, with its credential read at the moment of the call. */
  readonly github: (project: Project) => GitHub;
  /** ISO 8601, UTC. */
  readonly now: () => string;
  readonly newId: () => string;
  /** Session that asks, from the caller's `X-Yoke-Session`; null for a person without one. */
  readonly session: string | null;
  readonly taskQueue: string;
}

/** Thrown inside a function to answer with refusals; dispatch() turns it into a value. */
export class Refused extends Error {
  override readonly name = "Refused";
  constructor(readonly refusals: readonly Refusal[]) {
    super(refusals.map((refusal) => `${refusal.code}: ${refusal.message}`).join("; "));
  }
}
