/** The rate-limit figures GitHub sent last, for metrics. */

export interface RateLimits {
  readonly limit: number;
  readonly remaining: number;
  /** ISO time at which `remaining` starts anew. */
  readonly resetAt: string;
  /** Points of the last GraphQL query that asked for its cost; null before one did. */
  readonly cost: number | null;
}

export interface LimitsGauge {
  seenHeaders(headers: Readonly<Record<string, string | undefined>>): void;
  seenCost(cost: number): void;
  last(): RateLimits | null;
}

export function createLimitsGauge(): LimitsGauge {
  let last: Omit<RateLimits, "cost"> | null = null;
  let lastCost: number | null = null;
  return {
    seenHeaders(headers) {
      const limit = whole(headers["x-ratelimit-limit"]);
      const remaining = whole(headers["x-ratelimit-remaining"]);
      const reset = whole(headers["x-ratelimit-reset"]);
      if (limit === null || remaining === null || reset === null) return;
      last = { limit, remaining, resetAt: new Date(reset * 1000).toISOString() };
    },
    seenCost(cost) {
      lastCost = cost;
    },
    last: () => (last === null ? null : { ...last, cost: lastCost }),
  };
}

/** A header that is a whole number, such as seconds or a count. */
export function whole(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,12}$/.test(header.trim()) ? Number(header) : null;
}
