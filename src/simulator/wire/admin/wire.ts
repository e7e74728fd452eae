/** The wire itself: faults, limits, the log of requests (S8, S9). */
import { z } from "zod";

import { Refusal } from "../../world/refusal.js";
import { type Fault, isUnused } from "../faults.js";
import type { RequestFilter, RequestKind } from "../http/request-log.js";
import { GITHUB_SECONDARY } from "../limits.js";
import { type AdminCall, InvalidInput, route } from "./route.js";

const KINDS = ["rest", "graphql", "git", "page", "unknown"] as const satisfies RequestKind[];

const fault = z.strictObject({
  match: z
    .strictObject({
      kind: z.enum(KINDS).exactOptional(),
      method: z.string().exactOptional(),
      route: z.string().exactOptional(),
      operation: z.string().exactOptional(),
      field: z.string().exactOptional(),
    })
    .exactOptional(),
  nth: z.int().min(1).exactOptional(),
  times: z.int().min(1).nullable().exactOptional(),
  delayMs: z.int().min(0).exactOptional(),
  status: z.int().min(200).max(599).exactOptional(),
  body: z.unknown().exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  effect: z.boolean().exactOptional(),
  cut: z.enum(["before", "after", "during"]).exactOptional(),
  hang: z.enum(["before", "after"]).exactOptional(),
  errors: z
    .array(
      z.strictObject({
        path: z.array(z.union([z.string(), z.int()])).min(1),
        message: z.string().exactOptional(),
        type: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
});

const limits = z.strictObject({
  core: z.int().min(0).exactOptional(),
  graphql: z.int().min(0).exactOptional(),
  anonymous: z.int().min(0).exactOptional(),
  graphqlType: z.enum(["RATE_LIMIT", "RATE_LIMITED"]).exactOptional(),
  secondary: z
    .strictObject({
      concurrent: z.int().min(1).exactOptional(),
      restPointsPerMinute: z.int().min(0).exactOptional(),
      graphqlPointsPerMinute: z.int().min(0).exactOptional(),
      contentPerMinute: z.int().min(0).exactOptional(),
      contentPerHour: z.int().min(0).exactOptional(),
      retryAfter: z.int().min(0).exactOptional(),
    })
    .nullable()
    .exactOptional(),
});

export const wireRoutes = [
  route("GET", "/faults", ({ services }) => services.faults.list().map(shown)),
  route("POST", "/faults", async (call) => {
    const script = await call.input(fault);
    try {
      return shown(call.services.faults.add(script));
    } catch (error) {
      if (error instanceof SyntaxError) throw new InvalidInput(`match.route: ${error.message}`);
      throw error;
    }
  }),
  route("DELETE", "/faults", ({ services }) => services.faults.clear()),
  route("DELETE", "/faults/{id}", (call) => {
    if (!call.services.faults.remove(call.id("id")))
      throw new Refusal("NOT_FOUND", `There is no fault ${call.param("id")}.`);
  }),

  route("GET", "/limits", ({ services }) => services.limits.settings),
  route("PUT", "/limits", async (call) => {
    const { secondary, ...primary } = await call.input(limits);
    const { limits: held } = call.services;
    held.settings = {
      ...held.settings,
      ...primary,
      ...(secondary === undefined
        ? {}
        : { secondary: secondary === null ? null : { ...GITHUB_SECONDARY, ...secondary } }),
    };
    held.reset();
    return held.settings;
  }),

  route("GET", "/requests", requests),
  route("DELETE", "/requests", ({ services }) => services.log.reset()),
  route("GET", "/unexpected", ({ services }) => services.log.unexpected()),
];

function shown(one: Fault) {
  const { id, matched, used, hung, script } = one;
  return { id, matched, used, hung, unused: isUnused(one), ...script };
}

/** `since` is the id of a request, which is left out itself, or a time of the simulator's clock. */
function requests(call: AdminCall) {
  const filter: RequestFilter = { ...sinceOf(call.query("since")), ...kindOf(call.query("kind")) };
  const { log } = call.services;
  const list = log.list(filter);
  const last = log.list().at(-1)?.id ?? 0;
  const group = call.query("group");
  if (group === null) return { total: list.length, last, requests: list };
  if (group !== "route") throw new InvalidInput("group can only be 'route'");
  return { total: list.length, last, counts: log.counts(filter) };
}

function sinceOf(since: string | null): RequestFilter {
  if (since === null) return {};
  if (/^\d+$/.test(since)) return { after: Number(since) };
  const time = Date.parse(since);
  if (Number.isNaN(time)) throw new InvalidInput("since is the id of a request or a time");
  return { since: time };
}

function kindOf(kind: string | null): RequestFilter {
  if (kind === null) return {};
  const known = KINDS.find((one) => one === kind);
  if (known === undefined) throw new InvalidInput(`kind is one of ${KINDS.join(", ")}`);
  return { kind: known };
}
