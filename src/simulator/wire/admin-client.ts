/** The admin API of the simulated GitHub, typed (docs/simulator.md). */
import type {
  App,
  Delivery,
  Installation,
  Repository,
  Token,
  User,
  WebhookFault,
} from "../world/model.js";
import type { AddWebhookFault, CreateApp, CreateRepository } from "../world/requests.js";
import { type HeldJobShown, RepositoryAdmin } from "./admin-repository.js";
import { AdminTransport } from "./admin-transport.js";
import type { FaultScript } from "./faults.js";
import type { LoggedRequest, RequestKind, RouteCount } from "./http/request-log.js";
import type { LimitSettings, SecondaryLimits } from "./limits.js";

export type { HeldJobShown, PullRequestShown } from "./admin-repository.js";
export { AdminError } from "./admin-transport.js";
export { RepositoryAdmin };

export interface ClockShown {
  readonly kind: "real" | "stepped";
  /** ISO 8601. */
  readonly now: string;
}

export type FaultShown = FaultScript & {
  readonly id: number;
  readonly matched: number;
  readonly used: number;
  readonly hung: number;
  readonly unused: boolean;
};

export interface RequestsAsked {
  /** Id of a request, which is left out, or a time. */
  readonly since?: number | string;
  readonly kind?: RequestKind;
}

export class SimulatorAdmin {
  readonly #call: AdminTransport;

  /** `url`: of the simulator, without `/_sim`. */
  constructor(readonly url: string) {
    this.#call = new AdminTransport(url);
  }

  info(): Promise<{
    readonly url: string;
    readonly apiUrl: string;
    readonly clock: ClockShown;
    readonly repositories: string[];
  }> {
    return this.#call.get("");
  }

  // Time

  clock(): Promise<ClockShown> {
    return this.#call.get("/clock");
  }

  advance(ms: number): Promise<ClockShown> {
    return this.#call.post("/clock/advance", { ms });
  }

  setClock(now: string): Promise<ClockShown> {
    return this.#call.put("/clock", { now });
  }

  /** Waits until nothing goes on. @throws Error saying what does, after `timeoutMs`. */
  async idle(timeoutMs = 10_000): Promise<void> {
    const { idle, busy } = await this.#call.get<{ idle: boolean; busy: string[] }>("/idle", {
      timeoutMs,
    });
    if (!idle) throw new Error(`the simulator is busy: ${busy.join("; ")}`);
  }

  // Repositories

  repositories(): Promise<Repository[]> {
    return this.#call.get("/repositories");
  }

  async createRepository(ask: CreateRepository): Promise<RepositoryAdmin> {
    const { owner, name } = await this.#call.post<Repository>("/repositories", ask);
    return this.repository(owner, name);
  }

  /** A handle; nothing is asked yet. */
  repository(owner: string, name: string): RepositoryAdmin {
    return new RepositoryAdmin(this.#call, owner, name);
  }

  heldJobs(): Promise<HeldJobShown[]> {
    return this.#call.get("/held-jobs");
  }

  async releaseJob(id: number, conclusion: "pass" | "fail" | "cancel"): Promise<void> {
    await this.#call.post(`/held-jobs/${id}/release`, { conclusion });
  }

  // People, tokens, Apps

  users(): Promise<User[]> {
    return this.#call.get("/users");
  }

  createUser(login: string, access: "read" | "write" = "write"): Promise<User> {
    return this.#call.post("/users", { login, access });
  }

  /** For a person, made when unknown. */
  async createToken(login: string, scopes: readonly string[] = ["repo"]): Promise<string> {
    return (await this.#call.post<{ token: string }>("/tokens", { login, scopes })).token;
  }

  async revokeToken(token: string): Promise<boolean> {
    return (await this.#call.post<{ revoked: boolean }>("/tokens/revoke", { token })).revoked;
  }

  apps(): Promise<App[]> {
    return this.#call.get("/apps");
  }

  /** The private key (PEM) is given this once. */
  createApp(ask: CreateApp): Promise<App & { readonly privateKey: string }> {
    return this.#call.post("/apps", ask);
  }

  updateApp(
    id: number,
    ask: Partial<Pick<App, "events" | "permissions" | "webhook">>,
  ): Promise<App> {
    return this.#call.patch(`/apps/${id}`, ask);
  }

  /** `repositories` as `owner/name`; without them all of the account. */
  installApp(
    id: number,
    ask: { readonly account: string; readonly repositories?: readonly string[] },
  ): Promise<Installation> {
    return this.#call.post(`/apps/${id}/installations`, ask);
  }

  installations(): Promise<Installation[]> {
    return this.#call.get("/installations");
  }

  suspendInstallation(id: number, suspended: boolean): Promise<Installation> {
    return this.#call.patch(`/installations/${id}`, { suspended });
  }

  deleteInstallation(id: number): Promise<void> {
    return this.#call.delete(`/installations/${id}`);
  }

  createInstallationToken(
    id: number,
    ask: {
      readonly permissions?: Readonly<Record<string, string>>;
      readonly repositories?: readonly string[];
    } = {},
  ): Promise<Extract<Token, { kind: "installation" }>> {
    return this.#call.post(`/installations/${id}/tokens`, ask);
  }

  // Webhooks

  deleteHook(id: number): Promise<void> {
    return this.#call.delete(`/hooks/${id}`);
  }

  /** Oldest first; `event` as `pull_request` or `pull_request.dequeued`. */
  deliveries(event?: string): Promise<Delivery[]> {
    return this.#call.get("/deliveries", { event });
  }

  redeliver(id: number): Promise<Delivery> {
    return this.#call.post(`/deliveries/${id}/redeliver`);
  }

  webhookFaults(): Promise<WebhookFault[]> {
    return this.#call.get("/webhook-faults");
  }

  addWebhookFault(ask: AddWebhookFault): Promise<WebhookFault> {
    return this.#call.post("/webhook-faults", ask);
  }

  clearWebhookFaults(): Promise<void> {
    return this.#call.delete("/webhook-faults");
  }

  // Faults, limits, the request log

  faults(): Promise<FaultShown[]> {
    return this.#call.get("/faults");
  }

  addFault(script: FaultScript): Promise<FaultShown> {
    return this.#call.post("/faults", script);
  }

  removeFault(id: number): Promise<void> {
    return this.#call.delete(`/faults/${id}`);
  }

  clearFaults(): Promise<void> {
    return this.#call.delete("/faults");
  }

  limits(): Promise<LimitSettings> {
    return this.#call.get("/limits");
  }

  /** Also fills every budget again. `secondary: {}` enforces GitHub's numbers. */
  setLimits(
    ask: Partial<Omit<LimitSettings, "secondary">> & {
      readonly secondary?: Partial<SecondaryLimits> | null;
    },
  ): Promise<LimitSettings> {
    return this.#call.put("/limits", ask);
  }

  requests(ask: RequestsAsked = {}): Promise<{
    readonly total: number;
    readonly last: number;
    readonly requests: LoggedRequest[];
  }> {
    return this.#call.get("/requests", { ...ask });
  }

  requestCounts(
    ask: RequestsAsked = {},
  ): Promise<{ readonly total: number; readonly last: number; readonly counts: RouteCount[] }> {
    return this.#call.get("/requests", { ...ask, group: "route" });
  }

  resetRequests(): Promise<void> {
    return this.#call.delete("/requests");
  }

  /** Requests that the simulator could not answer; a test fails on them. */
  unexpected(): Promise<LoggedRequest[]> {
    return this.#call.get("/unexpected");
  }
}
