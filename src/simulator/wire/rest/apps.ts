/** Apps, installations, and their tokens (S7). */
import { z } from "zod";

import { ADMIN } from "../../world/actors.js";
import type { App, Installation, Repository } from "../../world/model.js";
import { nodeId } from "../../world/node-ids.js";
import { accountId, userPayload } from "../../world/payloads/account.js";
import { linksOf, seconds } from "../../world/payloads/links.js";
import { repositoryPayload } from "../../world/payloads/repository.js";
import { Refusal } from "../../world/refusal.js";
import { type Answer, empty, json } from "../http/answer.js";
import { given, type RestCall, type RestRoute } from "./call.js";
import { listed, pageOf } from "./paging.js";

const asApp = { kind: "app" } as const;
const asInstallation = { kind: "installation" } as const;

export const appRoutes: readonly RestRoute[] = [
  { method: "GET", path: "/app", need: asApp, handle: (call) => json(200, appPayload(call)) },
  {
    method: "GET",
    path: "/app/installations",
    need: asApp,
    handle: (call) => listed(call, installations(call), (one) => installationPayload(call, one)),
  },
  {
    method: "GET",
    path: "/app/installations/{installation_id}",
    need: asApp,
    handle: (call) => json(200, installationPayload(call, required(call))),
  },
  {
    method: "DELETE",
    path: "/app/installations/{installation_id}",
    need: asApp,
    handle: async (call) => {
      await call.world.deleteInstallation(required(call).id);
      return empty(204);
    },
  },
  {
    method: "GET",
    path: "/repos/{owner}/{repo}/installation",
    need: asApp,
    handle: (call) => {
      const found = installations(call).find((one) => covers(one, call.repository));
      if (found === undefined) throw new Refusal("NOT_FOUND", "Not Found");
      return json(200, installationPayload(call, found));
    },
  },
  {
    method: "POST",
    path: "/app/installations/{installation_id}/access_tokens",
    need: asApp,
    handle: createToken,
  },
  {
    method: "GET",
    path: "/installation/repositories",
    need: asInstallation,
    handle: listRepositories,
  },
  {
    method: "DELETE",
    path: "/installation/token",
    need: asInstallation,
    handle: async (call) => {
      if (call.principal?.kind === "installation")
        await call.world.revokeToken(call.principal.token);
      return empty(204);
    },
  },
];

function app(call: RestCall): App {
  if (call.principal?.kind !== "app") throw new Refusal("FORBIDDEN", "Not an App");
  return call.principal.app;
}

function installations(call: RestCall): Installation[] {
  return call.world.installations().filter((one) => one.appId === app(call).id);
}

function required(call: RestCall): Installation {
  const id = call.id("installation_id");
  const found = installations(call).find((one) => one.id === id);
  if (found === undefined) throw new Refusal("NOT_FOUND", "Not Found");
  return found;
}

function covers(installation: Installation, repository: Repository): boolean {
  return installation.repositorySelection === "selected"
    ? installation.repositoryIds.includes(repository.id)
    : installation.account.toLowerCase() === repository.owner.toLowerCase();
}

function linksAnywhere({ world }: RestCall) {
  return linksOf(world.insides, { owner: "", name: "" } as Repository);
}

function appPayload(call: RestCall): Record<string, unknown> {
  const one = app(call);
  return {
    id: one.id,
    slug: one.slug,
    node_id: nodeId("A", one.id),
    owner: userPayload(linksAnywhere(call), ADMIN),
    name: one.name,
    description: null,
    external_url: `${call.world.baseUrl}/apps/${one.slug}`,
    html_url: `${call.world.baseUrl}/apps/${one.slug}`,
    created_at: seconds(one.createdAt),
    updated_at: seconds(one.createdAt),
    permissions: one.permissions,
    events: one.events,
    installations_count: installations(call).length,
  };
}

function installationPayload(call: RestCall, one: Installation): Record<string, unknown> {
  const { permissions, events, slug } = app(call);
  const api = `${call.world.baseUrl}/api/v3`;
  const account = { login: one.account, type: "User", id: accountId(one.account) } as const;
  return {
    id: one.id,
    account: { ...userPayload(linksAnywhere(call), account), type: accountType(call, one) },
    access_tokens_url: `${api}/app/installations/${one.id}/access_tokens`,
    repositories_url: `${api}/installation/repositories`,
    html_url: `${call.world.baseUrl}/organizations/${one.account}/settings/installations/${one.id}`,
    app_id: one.appId,
    app_slug: slug,
    target_id: account.id,
    target_type: accountType(call, one),
    permissions,
    events,
    single_file_name: null,
    repository_selection: one.repositorySelection,
    created_at: seconds(one.createdAt),
    updated_at: seconds(one.createdAt),
    suspended_at: seconds(one.suspendedAt),
    suspended_by: one.suspendedAt === null ? null : userPayload(linksAnywhere(call), ADMIN),
  };
}

function accountType({ world }: RestCall, { account }: Installation): string {
  return world.repositories().find(({ owner }) => owner === account)?.ownerType ?? "Organization";
}

const tokenInput = z.object({
  repositories: z.array(z.string()).max(500).optional(),
  repository_ids: z.array(z.int()).max(500).optional(),
  permissions: z.record(z.string(), z.string()).optional(),
});

async function createToken(call: RestCall): Promise<Answer> {
  const installation = required(call);
  const { repositories, repository_ids, permissions } = await call.input(tokenInput);
  // A repository that is not there is refused with those that are not the installation's.
  const named = repositories?.map(
    (name) => call.world.repository(installation.account, name)?.id ?? -1,
  );
  const repositoryIds =
    named === undefined && repository_ids === undefined
      ? undefined
      : [...(named ?? []), ...(repository_ids ?? [])];
  const token = await call.world.createInstallationToken(
    installation.id,
    given({ permissions, repositoryIds }),
  );
  const reached = call.world
    .repositories()
    .filter((one) => token.repositoryIds?.includes(one.id) === true);
  return json(201, {
    token: token.token,
    expires_at: seconds(token.expiresAt),
    permissions: token.permissions,
    repository_selection:
      token.repositoryIds === null ? installation.repositorySelection : "selected",
    ...(token.repositoryIds === null
      ? {}
      : { repositories: reached.map((one) => repositoryPayload(call.world.insides, one)) }),
  });
}

function listRepositories(call: RestCall): Answer {
  const { principal, world } = call;
  if (principal?.kind !== "installation") throw new Refusal("FORBIDDEN", "Not an installation");
  const reached = world.repositories().filter((one) => world.canRead(principal, one));
  const { items, headers } = pageOf(call, reached);
  return json(
    200,
    {
      total_count: reached.length,
      repository_selection: principal.installation.repositorySelection,
      repositories: items.map((one) => repositoryPayload(world.insides, one)),
    },
    headers,
  );
}
