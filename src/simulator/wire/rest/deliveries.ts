/** What an App's webhook was sent, and sending it again (S6). */
import type { Delivery } from "../../world/model.js";
import { Refusal } from "../../world/refusal.js";
import { json } from "../http/answer.js";
import type { RestCall, RestRoute } from "./call.js";

const need = { kind: "app" } as const;
const DEFAULT_SIZE = 30;
const LARGEST_SIZE = 100;
/** github.com shows three days (github-facts 3.4). */
const SHOWN_MS = 3 * 24 * 3_600_000;

export const deliveryRoutes: readonly RestRoute[] = [
  { method: "GET", path: "/app/hook/config", need, handle: config },
  { method: "GET", path: "/app/hook/deliveries", need, handle: list },
  {
    method: "GET",
    path: "/app/hook/deliveries/{delivery_id}",
    need,
    handle: (call) => json(200, whole(required(call))),
  },
  {
    method: "POST",
    path: "/app/hook/deliveries/{delivery_id}/attempts",
    need,
    handle: async (call) => {
      await call.world.redeliver(required(call).id);
      return json(202, {});
    },
  },
];

function config(call: RestCall) {
  if (call.principal?.kind !== "app") throw new Refusal("FORBIDDEN", "Not an App");
  const { webhook } = call.principal.app;
  return json(200, {
    content_type: "json",
    insecure_ssl: "0",
    ...(webhook === null ? {} : { url: webhook.url, secret: "********" }),
  });
}

/** Newest first, those that were sent. */
function own(call: RestCall): Delivery[] {
  if (call.principal?.kind !== "app") throw new Refusal("FORBIDDEN", "Not an App");
  const appId = call.principal.app.id;
  const oldest = call.world.clock.now() - SHOWN_MS;
  return call.world
    .deliveries()
    .filter(
      ({ hook, deliveredAt }) =>
        hook.kind === "app" &&
        hook.id === appId &&
        deliveredAt !== null &&
        Date.parse(deliveredAt) >= oldest,
    )
    .sort((one, other) => other.id - one.id);
}

/** The cursor is the id of the last item shown. */
function list(call: RestCall) {
  const { query } = call;
  const status = query.get("status");
  const cursor = query.get("cursor");
  const size = Math.min(Number(query.get("per_page") ?? DEFAULT_SIZE), LARGEST_SIZE);
  const found = own(call).filter(
    (one) =>
      (status === null || (status === "success") === isSuccess(one)) &&
      (cursor === null || one.id < Number(cursor)),
  );
  const page = found.slice(0, size);
  const last = page.at(-1);
  if (last === undefined || found.length <= size) return json(200, page.map(item));
  const address = new URL(call.address());
  address.searchParams.set("cursor", String(last.id));
  return json(200, page.map(item), { link: `<${address.href}>; rel="next"` });
}

function isSuccess({ statusCode }: Delivery): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 400;
}

function required(call: RestCall): Delivery {
  const id = call.id("delivery_id");
  const found = own(call).find((one) => one.id === id);
  if (found === undefined) throw new Refusal("NOT_FOUND", "Not Found");
  return found;
}

function item(one: Delivery): Record<string, unknown> {
  return {
    id: one.id,
    guid: one.guid,
    delivered_at: one.deliveredAt ?? one.dueAt,
    redelivery: one.redelivery,
    duration: one.duration,
    status: one.status,
    status_code: one.statusCode ?? 0,
    event: one.event,
    action: one.action,
    installation_id: one.installationId,
    repository_id: one.repositoryId,
    throttled_at: null,
  };
}

function whole(one: Delivery): Record<string, unknown> {
  return {
    ...item(one),
    url: one.url,
    request: {
      headers: { "X-GitHub-Event": one.event, "X-GitHub-Delivery": one.guid },
      payload: JSON.parse(one.body) as Record<string, unknown>,
    },
    response: { headers: {}, payload: null },
  };
}
