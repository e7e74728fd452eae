/** Primary and secondary rate limits (S8), by the simulator's clock. */
import type { Clock } from "../clock.js";
import type { Principal } from "../world/model.js";

export type Resource = "core" | "graphql";

/** GitHub's numbers (github-facts 1.8, 2.8). */
export interface SecondaryLimits {
  /** Requests at the same time, REST and GraphQL together. */
  readonly concurrent: number;
  readonly restPointsPerMinute: number;
  readonly graphqlPointsPerMinute: number;
  /** Writes. */
  readonly contentPerMinute: number;
  readonly contentPerHour: number;
  /** Seconds in `retry-after`. */
  readonly retryAfter: number;
}

export interface LimitSettings {
  /** Requests an hour of one account or installation. */
  readonly core: number;
  /** Points an hour of one account or installation. */
  readonly graphql: number;
  /** Requests an hour without a credential. */
  readonly anonymous: number;
  /** `errors[].type` of an exhausted GraphQL budget; both spellings are met (quirk 35). */
  readonly graphqlType: "RATE_LIMIT" | "RATE_LIMITED";
  /** Null: not enforced. */
  readonly secondary: SecondaryLimits | null;
}

export const GITHUB_SECONDARY: SecondaryLimits = {
  concurrent: 100,
  restPointsPerMinute: 900,
  graphqlPointsPerMinute: 2000,
  contentPerMinute: 80,
  contentPerHour: 500,
  retryAfter: 60,
};

/** Without secondary limits: a stepped clock stands still, and so would their windows. */
export const DEFAULT_LIMITS: LimitSettings = {
  core: 5000,
  graphql: 5000,
  anonymous: 60,
  graphqlType: "RATE_LIMIT",
  secondary: null,
};

export interface Budget {
  readonly resource: Resource;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Seconds since the epoch. */
  readonly reset: number;
}

interface Window {
  used: number;
  /** Milliseconds since the epoch. */
  endsAt: number;
}

interface Spent {
  readonly at: number;
  readonly points: number;
  readonly content: boolean;
  readonly resource: Resource;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export class Limits {
  settings: LimitSettings;
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();
  readonly #spent = new Map<string, Spent[]>();
  readonly #running = new Map<string, number>();

  constructor(clock: Clock, settings: LimitSettings) {
    this.#clock = clock;
    this.settings = settings;
  }

  budget(holder: string, resource: Resource): Budget {
    const { used, endsAt } = this.#window(holder, resource);
    const limit = holder === ANONYMOUS_HOLDER ? this.settings.anonymous : this.settings[resource];
    return {
      resource,
      limit,
      used: Math.min(used, limit),
      remaining: Math.max(0, limit - used),
      reset: Math.ceil(endsAt / 1000),
    };
  }

  charge(holder: string, resource: Resource, points: number): void {
    this.#window(holder, resource).used += points;
  }

  /** Counts a request against the secondary limits. The seconds to wait when it is one too many, else null. */
  enter(holder: string, resource: Resource, write: boolean): number | null {
    this.#running.set(holder, (this.#running.get(holder) ?? 0) + 1);
    const { secondary } = this.settings;
    if (secondary === null) return null;
    const now = this.#clock.now();
    const spent = (this.#spent.get(holder) ?? []).filter((one) => one.at > now - HOUR_MS);
    spent.push({ at: now, points: write ? 5 : 1, content: write, resource });
    this.#spent.set(holder, spent);
    const minute = spent.filter((one) => one.at > now - MINUTE_MS);
    const points = minute
      .filter((one) => one.resource === resource)
      .reduce((sum, one) => sum + one.points, 0);
    const most = resource === "core" ? "restPointsPerMinute" : "graphqlPointsPerMinute";
    const content = (within: readonly Spent[]): number =>
      within.filter((one) => one.content).length;
    const exceeded =
      (this.#running.get(holder) ?? 0) > secondary.concurrent ||
      points > secondary[most] ||
      (write && content(minute) > secondary.contentPerMinute) ||
      (write && content(spent) > secondary.contentPerHour);
    return exceeded ? secondary.retryAfter : null;
  }

  leave(holder: string): void {
    this.#running.set(holder, (this.#running.get(holder) ?? 1) - 1);
  }

  /** Full budgets again for everybody. */
  reset(): void {
    this.#windows.clear();
    this.#spent.clear();
  }

  #window(holder: string, resource: Resource): Window {
    const key = `${resource} ${holder}`;
    const now = this.#clock.now();
    const known = this.#windows.get(key);
    if (known !== undefined && known.endsAt > now) return known;
    const window: Window = { used: 0, endsAt: now + HOUR_MS };
    this.#windows.set(key, window);
    return window;
  }
}

const ANONYMOUS_HOLDER = "anonymous";

/** Whose budget a request draws on: a person's tokens share one, and so do an installation's. */
export function holderOf(principal: Principal | null): string {
  switch (principal?.kind) {
    case "user":
      return `user ${principal.actor.login}`;
    case "installation":
      return `installation ${principal.installation.id}`;
    case "app":
      return `app ${principal.app.id}`;
    default:
      return ANONYMOUS_HOLDER;
  }
}

export function budgetHeaders(budget: Budget): Record<string, string> {
  return {
    "x-ratelimit-limit": String(budget.limit),
    "x-ratelimit-remaining": String(budget.remaining),
    "x-ratelimit-used": String(budget.used),
    "x-ratelimit-reset": String(budget.reset),
    "x-ratelimit-resource": budget.resource,
  };
}
