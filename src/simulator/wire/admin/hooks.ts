/** Webhooks: who gets them, what was sent, and what goes wrong on the way (S6). */
import { z } from "zod";

import { type AdminCall, route } from "./route.js";

const ONE = "/repositories/{owner}/{repo}";

export const hookRoutes = [
  route("GET", `${ONE}/hooks`, (call) => call.world.hooks(call.repository)),
  route("POST", `${ONE}/hooks`, async (call) => {
    const shape = z.strictObject({
      url: z.url(),
      secret: z.string(),
      events: z.array(z.string()).default(["*"]),
      active: z.boolean().default(true),
    });
    return call.world.createHook(call.repository, await call.input(shape));
  }),
  route("DELETE", "/hooks/{id}", (call) => call.world.deleteHook(call.id("id"))),

  route("GET", "/deliveries", deliveries),
  route("POST", "/deliveries/{id}/redeliver", (call) => call.world.redeliver(call.id("id"))),

  route("GET", "/webhook-faults", ({ world }) => world.webhookFaults()),
  route("POST", "/webhook-faults", async (call) => {
    const shape = z.strictObject({
      kind: z.enum(["lose", "double", "delay", "reorder"]),
      filter: z.string().nullable().exactOptional(),
      times: z.int().min(1).exactOptional(),
      delayMs: z.int().min(0).exactOptional(),
    });
    return call.world.addWebhookFault(await call.input(shape));
  }),
  route("DELETE", "/webhook-faults", ({ world }) => world.clearWebhookFaults()),
];

/** Oldest first; `event` as `pull_request` or `pull_request.dequeued`. */
function deliveries(call: AdminCall) {
  const event = call.query("event");
  return call.world
    .deliveries()
    .filter(
      (one) =>
        event === null || event === one.event || event === `${one.event}.${one.action ?? ""}`,
    );
}
