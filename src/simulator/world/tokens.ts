/** People, tokens, and who a credential stands for (S7). */
import { randomBytes } from "node:crypto";

import { botOf } from "./actors.js";
import { timestampOf } from "../clock.js";
import { appOfJwt } from "./app-jwt.js";
import type { Engine } from "./engine.js";
import type { App, Installation, Principal, Repository, Token, User } from "./model.js";
import { notFound, unprocessable } from "./refusal.js";

const HOUR_MS = 3_600_000;
const STRENGTH = { read: 1, write: 2, admin: 3 } as const;

/** Known already: its access changes. */
export function createUser(engine: Engine, login: string, access: User["access"]): User {
  const known = engine.state.users.find((user) => user.login === login);
  if (known !== undefined) return Object.assign(known, { access });
  const user: User = { login, type: "User", id: engine.nextId(), access };
  engine.state.users.push(user);
  return user;
}

/** For a person, made when unknown. */
export function createPersonalToken(
  engine: Engine,
  login: string,
  scopes: readonly string[],
): string {
  const actor =
    engine.state.users.find((user) => user.login === login) ?? createUser(engine, login, "write");
  const token = `ghp_${secret()}`;
  engine.state.tokens.push({ kind: "personal", token, actor, scopes: [...scopes], revoked: false });
  return token;
}

export function createInstallationToken(
  engine: Engine,
  installationId: number,
  ask: {
    readonly permissions?: Readonly<Record<string, string>>;
    readonly repositoryIds?: readonly number[];
  },
): Extract<Token, { kind: "installation" }> {
  const { installation, app } = requireInstallation(engine, installationId);
  for (const [name, level] of Object.entries(ask.permissions ?? {}))
    if (!grants(app.permissions[name], level))
      throw unprocessable("The permissions requested are not granted to this installation.");
  const foreign = (ask.repositoryIds ?? []).some(
    (id) =>
      !covers(
        installation,
        engine.state.repositories.find((one) => one.repository.id === id)?.repository,
      ),
  );
  if (foreign)
    throw unprocessable(
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  const token = {
    kind: "installation" as const,
    token: `ghs_${secret()}`,
    installationId,
    permissions: { ...(ask.permissions ?? app.permissions) },
    repositoryIds: ask.repositoryIds === undefined ? null : [...ask.repositoryIds],
    expiresAt: timestampOf(engine.now() + HOUR_MS),
    revoked: false,
  };
  engine.state.tokens.push(token);
  return token;
}

function requireInstallation(
  engine: Engine,
  id: number,
): { readonly installation: Installation; readonly app: App } {
  const installation = engine.state.installations.find((one) => one.id === id);
  const app = engine.state.apps.find((one) => one.id === installation?.appId);
  if (installation === undefined || app === undefined)
    throw notFound(`an installation with the id ${id}`);
  if (installation.suspendedAt !== null)
    throw unprocessable("This installation has been suspended");
  return { installation, app };
}

export function revoke(engine: Engine, token: string): boolean {
  const found = engine.state.tokens.find((one) => one.token === token && !one.revoked);
  if (found === undefined) return false;
  found.revoked = true;
  return true;
}

export function authenticate(engine: Engine, authorization: string): Principal | null {
  const credential = credentialOf(authorization);
  if (credential === null) return null;
  const token = engine.state.tokens.find((one) => one.token === credential);
  if (token !== undefined) return token.revoked ? null : principalOf(engine, token);
  const app = credential.split(".").length === 3 ? appOfJwt(engine, credential) : null;
  return app === null ? null : { kind: "app", actor: botOf(app), app };
}

function credentialOf(authorization: string): string | null {
  const [scheme = "", value = ""] = authorization.trim().split(/\s+/, 2);
  switch (scheme.toLowerCase()) {
    case "bearer":
    case "token":
      return value;
    case "basic": {
      const [user = "", ...rest] = Buffer.from(value, "base64").toString().split(":");
      // A token may also stand in the user's place, with an empty password.
      return rest.join(":") || user;
    }
    default:
      return null;
  }
}

function principalOf(engine: Engine, token: Token): Principal | null {
  if (token.kind === "personal") {
    const actor = engine.state.users.find((user) => user.login === token.actor.login);
    if (actor === undefined) return null;
    return { kind: "user", actor, token: token.token, scopes: token.scopes };
  }
  const installation = engine.state.installations.find((one) => one.id === token.installationId);
  const app = engine.state.apps.find((one) => one.id === installation?.appId);
  if (installation === undefined || app === undefined || installation.suspendedAt !== null)
    return null;
  if (Date.parse(token.expiresAt) <= engine.now()) return null;
  return {
    kind: "installation",
    actor: botOf(app),
    token: token.token,
    app,
    installation,
    permissions: token.permissions,
    repositoryIds: token.repositoryIds,
  };
}

export function canRead(principal: Principal | null, repository: Repository): boolean {
  if (principal?.kind === "installation") return reaches(principal, repository);
  if (!repository.private) return true;
  return principal?.kind === "user";
}

export function canWrite(principal: Principal | null, repository: Repository): boolean {
  if (principal === null) return repository.anonymousPush && !repository.private;
  if (principal.kind === "user") return principal.actor.access === "write";
  if (principal.kind === "app") return false;
  return reaches(principal, repository) && grants(principal.permissions["contents"], "write");
}

function reaches(
  principal: Extract<Principal, { kind: "installation" }>,
  repository: Repository,
): boolean {
  if (!covers(principal.installation, repository)) return false;
  return principal.repositoryIds === null || principal.repositoryIds.includes(repository.id);
}

function covers(installation: Installation, repository: Repository | undefined): boolean {
  if (repository === undefined || repository.deleted) return false;
  if (installation.repositorySelection === "selected")
    return installation.repositoryIds.includes(repository.id);
  return installation.account.toLowerCase() === repository.owner.toLowerCase();
}

/** Whether a granted level includes an asked one. */
export function grants(granted: string | undefined, asked: string): boolean {
  const have = STRENGTH[granted as keyof typeof STRENGTH] ?? 0;
  const want = STRENGTH[asked as keyof typeof STRENGTH] ?? Number.POSITIVE_INFINITY;
  return have >= want;
}

function secret(): string {
  return randomBytes(27).toString("base64url").replaceAll(/[-_]/g, "0");
}
