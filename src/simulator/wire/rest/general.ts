/** The API itself: limits, who is asking, repositories. */
import type { Principal } from "../../world/model.js";
import { userPayload } from "../../world/payloads/account.js";
import { linksOf, seconds } from "../../world/payloads/links.js";
import { repositoryPayload } from "../../world/payloads/repository.js";
import { json } from "../http/answer.js";
import { type Budget, holderOf } from "../limits.js";
import type { RestCall, RestRoute } from "./call.js";
import { reading } from "./repository-routes.js";

const anyone = { kind: "anyone" } as const;

export const generalRoutes: readonly RestRoute[] = [
  { method: "GET", path: "/rate_limit", need: anyone, handle: rateLimit },
  {
    method: "GET",
    path: "/meta",
    need: anyone,
    handle: () => json(200, { verifiable_password_authentication: false }),
  },
  { method: "GET", path: "/user", need: { kind: "someone" }, handle: user },
  reading("", "metadata", (call) =>
    json(200, {
      ...repositoryPayload(call.world.insides, call.repository),
      network_count: 0,
      subscribers_count: 0,
      permissions: rights(call),
    }),
  ),
];

function rights({ world, principal, repository }: RestCall): Record<string, boolean> {
  const push = principal !== null && world.canWrite(principal, repository);
  return { admin: false, maintain: false, push, triage: push, pull: true };
}

function rateLimit(call: RestCall) {
  const holder = holderOf(call.principal);
  const { limits } = call.services;
  const core = shown(limits.budget(holder, "core"));
  const graphql = shown(limits.budget(holder, "graphql"));
  // Searching is not simulated; GitHub's numbers, untouched.
  const search = { limit: 30, remaining: 30, used: 0, reset: core["reset"] };
  const later = call.incoming.header("x-github-api-version") === "2026-03-10";
  return json(200, { resources: { core, search, graphql }, ...(later ? {} : { rate: core }) });
}

function shown({ limit, used, remaining, reset }: Budget): Record<string, number> {
  return { limit, used, remaining, reset };
}

/** Of a person's token; an installation has no user. */
function user(call: RestCall) {
  const { principal, world } = call;
  if (principal?.kind !== "user")
    return json(403, {
      message: "Resource not accessible by integration",
      documentation_url: "https://docs.github.com/rest",
      status: "403",
    });
  const links = linksOf(world.insides, { owner: "", name: "" } as RestCall["repository"]);
  return json(
    200,
    { ...userPayload(links, principal.actor), ...profile(call, principal) },
    { "x-oauth-scopes": principal.scopes.join(", ") },
  );
}

/** People of the simulator have a name and nothing else. */
function profile({ world }: RestCall, { actor }: Extract<Principal, { kind: "user" }>) {
  const since = seconds(new Date(0).toISOString());
  return {
    name: actor.login,
    company: null,
    blog: "",
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: world.repositories().filter(({ owner }) => owner === actor.login).length,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: since,
    updated_at: since,
  };
}
