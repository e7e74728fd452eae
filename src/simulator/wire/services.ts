/** What the parts of the wire share. */
import type { UpdateRepository } from "../world/requests.js";
import type { Faults } from "./faults.js";
import type { GitReads } from "./git/git-reads.js";
import type { RequestLog } from "./http/request-log.js";
import type { Limits, LimitSettings } from "./limits.js";
import type { ServedWorld } from "./served-world.js";

export interface Services {
  readonly world: ServedWorld;
  readonly git: GitReads;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly limits: Limits;
  readonly defaults: Defaults;
}

/** Where a new world differs from GitHub's own defaults. */
export interface Defaults {
  /** For repositories the admin API makes. */
  readonly repository?: UpdateRepository;
  readonly limits?: Partial<LimitSettings>;
}
