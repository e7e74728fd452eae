/** Apps and their installations. */
import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

import type { Engine } from "./engine.js";
import type { App, Installation } from "./model.js";
import { notFound, unprocessable } from "./refusal.js";
import type { CreateApp } from "./requests.js";

const generate = promisify(generateKeyPair);

/** @throws Refusal UNPROCESSABLE for a taken name. */
export async function create(
  engine: Engine,
  ask: CreateApp,
): Promise<{ app: App; privateKey: string }> {
  const slug = ask.slug ?? ask.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  if (engine.state.apps.some((app) => app.slug === slug))
    throw unprocessable(`Name ${ask.name} has already been taken`);
  const { publicKey, privateKey } = await generate("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const app: App = {
    id: engine.nextId(),
    slug,
    name: ask.name,
    publicKey,
    webhook:
      ask.webhook === undefined ? null : { ...ask.webhook, active: ask.webhook.active ?? true },
    events: [...(ask.events ?? [])],
    permissions: { metadata: "read", ...ask.permissions },
    createdAt: engine.stamp(),
  };
  engine.state.apps.push(app);
  return { app, privateKey };
}

export function update(
  engine: Engine,
  appId: number,
  ask: Partial<Pick<App, "events" | "permissions" | "webhook">>,
): App {
  const app = requireApp(engine, appId);
  Object.assign(app, ask);
  return app;
}

/** One installation per account; installing again changes its repositories. */
export function install(
  engine: Engine,
  appId: number,
  ask: { readonly account: string; readonly repositoryIds?: readonly number[] },
): Installation {
  requireApp(engine, appId);
  const known = engine.state.installations.find(
    (one) => one.appId === appId && one.account === ask.account,
  );
  const selection: Pick<Installation, "repositorySelection" | "repositoryIds"> = {
    repositorySelection: ask.repositoryIds === undefined ? "all" : "selected",
    repositoryIds: [...(ask.repositoryIds ?? [])],
  };
  if (known !== undefined) return Object.assign(known, selection);
  const installation: Installation = {
    id: engine.nextId(),
    appId,
    account: ask.account,
    ...selection,
    suspendedAt: null,
    createdAt: engine.stamp(),
  };
  engine.state.installations.push(installation);
  return installation;
}

export function suspend(engine: Engine, id: number, suspended: boolean): Installation {
  const installation = engine.state.installations.find((one) => one.id === id);
  if (installation === undefined) throw notFound(`an installation with the id ${id}`);
  installation.suspendedAt = suspended ? engine.stamp() : null;
  return installation;
}

/** Its tokens end with it. */
export function uninstall(engine: Engine, id: number): void {
  const index = engine.state.installations.findIndex((one) => one.id === id);
  if (index < 0) throw notFound(`an installation with the id ${id}`);
  engine.state.installations.splice(index, 1);
  for (const token of engine.state.tokens)
    if (token.kind === "installation" && token.installationId === id) token.revoked = true;
}

function requireApp(engine: Engine, id: number): App {
  const app = engine.state.apps.find((one) => one.id === id);
  if (app === undefined) throw notFound(`an App with the id ${id}`);
  return app;
}
