/** Apps, people, tokens, webhooks, and scripted faults. */
import * as apps from "../apps.js";
import * as faults from "../faults.js";
import * as hooks from "../hooks.js";
import type * as model from "../model.js";
import type * as request from "../requests.js";
import * as tokens from "../tokens.js";
import { WorldChecks } from "./checks.js";

type Repository = model.Repository;

export class WorldAccess extends WorldChecks {
  apps(): model.App[] {
    return this.engine.state.apps;
  }

  installations(): model.Installation[] {
    return this.engine.state.installations;
  }

  users(): model.User[] {
    return this.engine.state.users;
  }

  createUser(login: string, access: "read" | "write" = "write"): Promise<model.User> {
    return this.engine.mutate("create user", () => tokens.createUser(this.engine, login, access));
  }

  createPersonalToken(login: string, scopes: readonly string[] = ["repo"]): Promise<string> {
    return this.engine.mutate("create token", () =>
      tokens.createPersonalToken(this.engine, login, scopes),
    );
  }

  /** The private key (PEM) is given once and not kept. */
  createApp(ask: request.CreateApp): Promise<{ app: model.App; privateKey: string }> {
    return this.engine.mutate("create app", () => apps.create(this.engine, ask));
  }

  updateApp(
    appId: number,
    ask: Partial<Pick<model.App, "events" | "permissions" | "webhook">>,
  ): Promise<model.App> {
    return this.engine.mutate("update app", () => apps.update(this.engine, appId, ask));
  }

  /** `repositoryIds`: only these; without it all repositories of the account. */
  installApp(
    appId: number,
    ask: { account: string; repositoryIds?: readonly number[] },
  ): Promise<model.Installation> {
    return this.engine.mutate("install app", () => apps.install(this.engine, appId, ask));
  }

  suspendInstallation(id: number, suspended: boolean): Promise<model.Installation> {
    return this.engine.mutate("suspend installation", () =>
      apps.suspend(this.engine, id, suspended),
    );
  }

  deleteInstallation(id: number): Promise<void> {
    return this.engine.mutate("delete installation", () => apps.uninstall(this.engine, id));
  }

  /** Lives one hour of the simulator's clock. @throws Refusal for rights the installation lacks. */
  createInstallationToken(
    installationId: number,
    ask: {
      permissions?: Readonly<Record<string, string>>;
      repositoryIds?: readonly number[];
    } = {},
  ): Promise<Extract<model.Token, { kind: "installation" }>> {
    return this.engine.mutate("create installation token", () =>
      tokens.createInstallationToken(this.engine, installationId, ask),
    );
  }

  /** True when the token existed and was alive. */
  revokeToken(token: string): Promise<boolean> {
    return this.engine.mutate("revoke token", () => tokens.revoke(this.engine, token));
  }

  /**
   * Who an `Authorization` header stands for: `Bearer`/`token` with a token or an App's JWT, or `Basic`
   * with a token as the password. Null: nobody (unknown, expired, revoked, suspended).
   */
  authenticate(authorization: string): model.Principal | null {
    return tokens.authenticate(this.engine, authorization);
  }

  /** Whether the principal sees the repository; null is an anonymous reader. */
  canRead(principal: model.Principal | null, repository: Repository): boolean {
    return tokens.canRead(principal, repository);
  }

  /** Whether the principal may push to it. */
  canWrite(principal: model.Principal | null, repository: Repository): boolean {
    return tokens.canWrite(principal, repository);
  }

  // Webhooks and faults

  hooks(repository: Repository): model.RepositoryHook[] {
    return hooks.list(this.engine, repository);
  }

  createHook(repository: Repository, ask: request.CreateHook): Promise<model.RepositoryHook> {
    return this.engine.mutate("create hook", () => hooks.create(this.engine, repository, ask));
  }

  deleteHook(id: number): Promise<void> {
    return this.engine.mutate("delete hook", () => hooks.remove(this.engine, id));
  }

  /** Oldest first. */
  deliveries(): model.Delivery[] {
    return this.engine.state.deliveries;
  }

  /** Sends a delivery again under the same GUID (github-facts 3.4); returns the new item. */
  redeliver(deliveryId: number): Promise<model.Delivery> {
    return this.engine.mutate("redeliver", () => hooks.redeliver(this.engine, deliveryId));
  }

  webhookFaults(): model.WebhookFault[] {
    return this.engine.state.webhookFaults;
  }

  addWebhookFault(ask: request.AddWebhookFault): Promise<model.WebhookFault> {
    return this.engine.mutate("add fault", () => faults.addWebhookFault(this.engine, ask));
  }

  /** Forgets all webhook faults and sends what a `reorder` kept back. */
  clearWebhookFaults(): Promise<void> {
    return this.engine.mutate("clear faults", () => faults.clearWebhookFaults(this.engine));
  }

  /** The next merge by the queue writes the tree of the commit before it (A34). */
  writeWrongTree(repository: Repository): Promise<void> {
    return this.engine.mutate("write wrong tree", () =>
      faults.writeWrongTree(this.engine, repository),
    );
  }
}
