/** REST: rights, limits, conditional requests around the handler of a route. */
import { createHash } from "node:crypto";

import type { Principal, Repository } from "../../world/model.js";
import { grants } from "../../world/tokens.js";
import type { Exchange, Handling } from "../handling.js";
import { type Answer, empty, withHeaders } from "../http/answer.js";
import type { Incoming } from "../http/incoming.js";
import { routeName, Router } from "../http/router.js";
import { budgetHeaders, holderOf } from "../limits.js";
import {
  badCredentials,
  message,
  notAccessible,
  notFound,
  rateLimited,
  refusedAnswer,
  requiresAuthentication,
  secondaryLimited,
} from "../refusals.js";
import type { Services } from "../services.js";
import { RestCall, type RestRoute } from "./call.js";
import { REST_ROUTES } from "./routes.js";

const router = new Router(REST_ROUTES);
const PREFIX = "/api/v3";

/** Null for a path that is no route of REST; one under `/api/v3` is at least unknown. */
export function restHandling(services: Services, incoming: Incoming): Handling | null {
  const { method, path } = incoming;
  const under = path.startsWith(`${PREFIX}/`);
  const match = router.match(method, under ? path.slice(PREFIX.length) : path);
  if (match === null) return null;
  return {
    kind: "rest",
    route: routeName(match.route),
    answer: (exchange) => answer(services, exchange, match.route, match.params),
  };
}

async function answer(
  services: Services,
  { incoming, logged }: Exchange,
  route: RestRoute,
  params: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { world, limits } = services;
  const authorization = incoming.header("authorization");
  const principal = authorization === undefined ? null : world.authenticate(authorization);
  if (authorization !== undefined && principal === null) return badCredentials();
  logged.actor = principal?.actor.login ?? null;
  const holder = holderOf(principal);
  const reads = incoming.method === "GET" || incoming.method === "HEAD";
  const wait = limits.enter(holder, "core", !reads);
  try {
    const budget = limits.budget(holder, "core");
    // Asking for the limits is free, and possible when they are used up.
    const free = route.path === "/rate_limit";
    if (wait !== null) return secondaryLimited(wait);
    if (!free && budget.remaining <= 0)
      return withHeaders(rateLimited(principal, budget), budgetHeaders(budget));
    const plain = await permitted(services, incoming, principal, route, params);
    const final = reads && plain.status === 200 ? conditional(incoming, plain) : plain;
    if (!free && final.status !== 304) {
      limits.charge(holder, "core", 1);
      logged.cost = 1;
    }
    return withHeaders(final, {
      ...budgetHeaders(limits.budget(holder, "core")),
      "x-github-media-type": "github.v3; format=json",
    });
  } finally {
    limits.leave(holder);
  }
}

async function permitted(
  services: Services,
  incoming: Incoming,
  principal: Principal | null,
  route: RestRoute,
  params: Readonly<Record<string, string>>,
): Promise<Answer> {
  const repository = repositoryOf(services, params);
  const refusal = refusalOf(services, principal, route, repository);
  if (refusal !== null) return refusal;
  try {
    return await route.handle(new RestCall(services, incoming, principal, params, repository));
  } catch (error) {
    const refused = refusedAnswer(error);
    if (refused === null) throw error;
    return refused;
  }
}

function repositoryOf(
  { world }: Services,
  { owner, repo }: Readonly<Record<string, string>>,
): Repository | null {
  return owner === undefined || repo === undefined ? null : world.repository(owner, repo);
}

function refusalOf(
  { world }: Services,
  principal: Principal | null,
  { need }: RestRoute,
  repository: Repository | null,
): Answer | null {
  if (need.kind === "anyone") return null;
  if (need.kind === "app")
    return principal?.kind === "app" ? null : message(401, "A JSON web token could not be decoded");
  if (principal?.kind === "app")
    return need.kind === "someone" ? null : message(403, "Resource not accessible by integration");
  if (need.kind === "someone") return principal === null ? requiresAuthentication() : null;
  if (need.kind === "installation")
    return principal?.kind === "installation"
      ? null
      : message(403, "You must authenticate with an installation access token");
  // What you may not see is not there (github-facts 2.8).
  if (repository === null || !world.canRead(principal, repository)) return notFound();
  const { permission, level } = need;
  if (principal?.kind === "installation")
    return grants(principal.permissions[permission], level)
      ? null
      : notAccessible(permission, level);
  if (level === "read") return null;
  if (principal === null) return requiresAuthentication();
  return principal.actor.access === "write"
    ? null
    : message(403, "Must have write access to Repository.");
}

/** An ETag belongs to its token too (quirk 34); a match is a 304, which is free. */
function conditional(incoming: Incoming, plain: Answer): Answer {
  const known = plain.headers["etag"];
  const hash = createHash("sha256")
    .update(incoming.header("authorization") ?? "")
    .update(incoming.header("accept") ?? "")
    .update(plain.body)
    .digest("hex");
  const etag = known ?? `W/"${hash}"`;
  const asked = (incoming.header("if-none-match") ?? "").split(",").map((one) => one.trim());
  const same = asked.some((one) => one === "*" || opaque(one) === opaque(etag));
  return same ? empty(304, { etag }) : withHeaders(plain, { etag });
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, "");
}
