/** Webhooks of a repository. */
import { z } from "zod";

import type { RepositoryHook } from "../../world/model.js";
import { Refusal } from "../../world/refusal.js";
import { seconds } from "../../world/payloads/links.js";
import { empty, json } from "../http/answer.js";
import type { RestCall } from "./call.js";
import { listed } from "./paging.js";
import { reading, writing } from "./repository-routes.js";

const input = z.object({
  config: z.object({ url: z.string(), secret: z.string().default("") }),
  events: z.array(z.string()).default(["push"]),
  active: z.boolean().default(true),
});

export const hookRoutes = [
  reading("/hooks", "repository_hooks", (call) =>
    listed(call, call.world.hooks(call.repository), (one) => hookPayload(call, one)),
  ),
  writing("POST", "/hooks", "repository_hooks", async (call) => {
    const { config, events, active } = await call.input(input);
    const hook = await call.world.createHook(call.repository, { ...config, events, active });
    return json(201, hookPayload(call, hook));
  }),
  reading("/hooks/{hook_id}", "repository_hooks", (call) =>
    json(200, hookPayload(call, required(call))),
  ),
  writing("DELETE", "/hooks/{hook_id}", "repository_hooks", async (call) => {
    await call.world.deleteHook(required(call).id);
    return empty(204);
  }),
];

function required(call: RestCall): RepositoryHook {
  const id = call.id("hook_id");
  const found = call.world.hooks(call.repository).find((one) => one.id === id);
  if (found === undefined) throw new Refusal("NOT_FOUND", "Not Found");
  return found;
}

function hookPayload(call: RestCall, hook: RepositoryHook): Record<string, unknown> {
  const url = `${call.links.api}/hooks/${hook.id}`;
  const at = seconds(call.repository.createdAt);
  return {
    type: "Repository",
    id: hook.id,
    name: "web",
    active: hook.active,
    events: hook.events,
    config: { url: hook.url, content_type: "json", insecure_ssl: "0" },
    created_at: at,
    updated_at: at,
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: { code: null, status: "unused", message: null },
  };
}
