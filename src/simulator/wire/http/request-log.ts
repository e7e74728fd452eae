/** Every request of the APIs, of git and of the pages, for tests that count them (S9). */

export type RequestKind = "rest" | "graphql" | "git" | "page" | "unknown";

export interface LoggedRequest {
  readonly id: number;
  /** Simulator's clock, ISO 8601. */
  readonly at: string;
  readonly kind: RequestKind;
  readonly method: string;
  readonly path: string;
  /** `GET /repos/{owner}/{repo}`, `graphql Observe`, `git git-upload-pack`, `page`. */
  readonly route: string;
  /** Of a GraphQL document: operation name, and its root fields. */
  readonly operation: string | null;
  readonly fields: readonly string[];
  /** Login the credential stands for; null without one. */
  actor: string | null;
  /** Null while it goes on, 0 when the connection was cut. */
  status: number | null;
  /** Milliseconds of the computer's own time. */
  duration: number | null;
  /** Points or requests taken from the primary limit. */
  cost: number;
  /** Id of the fault that acted on it. */
  fault: number | null;
  /** Why no real client should have sent it; null when it was handled. */
  unexpected: string | null;
}

export interface RouteCount {
  readonly kind: RequestKind;
  readonly route: string;
  readonly count: number;
  /** By status, `cut` for a cut connection and `open` while it goes on. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Requests kept; older ones are forgotten. */
const KEPT = 50_000;

export interface RequestFilter {
  /** Only those with a greater id. */
  readonly after?: number;
  /** Only those at or after this time, in milliseconds since the epoch. */
  readonly since?: number;
  readonly kind?: RequestKind;
}

export class RequestLog {
  #requests: LoggedRequest[] = [];
  readonly #open = new Set<LoggedRequest>();
  #nextId = 1;
  #waiting: (() => void)[] = [];

  begin(
    ask: Pick<LoggedRequest, "at" | "kind" | "method" | "path" | "route"> &
      Partial<Pick<LoggedRequest, "operation" | "fields" | "unexpected">>,
  ): LoggedRequest {
    const request: LoggedRequest = {
      operation: null,
      fields: [],
      unexpected: null,
      ...ask,
      id: this.#nextId++,
      actor: null,
      status: null,
      duration: null,
      cost: 0,
      fault: null,
    };
    this.#requests.push(request);
    if (this.#requests.length > KEPT * 1.1) this.#requests = this.#requests.slice(-KEPT);
    this.#open.add(request);
    return request;
  }

  end(request: LoggedRequest, status: number, duration: number): void {
    request.status = status;
    request.duration = duration;
    this.#open.delete(request);
    if (this.#open.size > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  /** Routes of the requests that are being answered. */
  open(): string[] {
    return [...this.#open].map((request) => `request ${request.id}: ${request.route}`);
  }

  /** Resolves when no request is being answered. */
  async quiet(): Promise<void> {
    while (this.#open.size > 0)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
  }

  /** Oldest first. */
  list(filter: RequestFilter = {}): LoggedRequest[] {
    return this.#requests.filter(
      (one) =>
        one.id > (filter.after ?? 0) &&
        (filter.since === undefined || Date.parse(one.at) >= filter.since) &&
        (filter.kind === undefined || one.kind === filter.kind),
    );
  }

  /** Most frequent first. */
  counts(filter: RequestFilter = {}): RouteCount[] {
    const byRoute = new Map<string, { count: number; statuses: Record<string, number> } & Named>();
    for (const { kind, route, status } of this.list(filter)) {
      const key = `${kind} ${route}`;
      const entry = byRoute.get(key) ?? { kind, route, count: 0, statuses: {} };
      byRoute.set(key, entry);
      entry.count += 1;
      const word = status === null ? "open" : status === 0 ? "cut" : String(status);
      entry.statuses[word] = (entry.statuses[word] ?? 0) + 1;
    }
    return [...byRoute.values()].sort((one, other) => other.count - one.count);
  }

  /** Requests that the simulator does not know how to answer. */
  unexpected(): LoggedRequest[] {
    return this.#requests.filter((one) => one.unexpected !== null);
  }

  /** Forgets what has ended; ids go on. */
  reset(): void {
    this.#requests = this.#requests.filter((one) => this.#open.has(one));
  }
}

interface Named {
  readonly kind: RequestKind;
  readonly route: string;
}
