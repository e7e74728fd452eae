/** People, tokens, Apps and installations (S7). */
import { z } from "zod";

import { type AdminCall, route } from "./route.js";
import { permissions, webhook } from "./shapes.js";

export const accessRoutes = [
  route("GET", "/users", ({ world }) => world.users()),
  route("POST", "/users", async (call) => {
    const shape = z.strictObject({
      login: z.string(),
      access: z.enum(["read", "write"]).default("write"),
    });
    const { login, access } = await call.input(shape);
    return call.world.createUser(login, access);
  }),
  route("POST", "/tokens", async (call) => {
    const shape = z.strictObject({
      login: z.string(),
      scopes: z.array(z.string()).default(["repo"]),
    });
    const { login, scopes } = await call.input(shape);
    return { token: await call.world.createPersonalToken(login, scopes) };
  }),
  route("POST", "/tokens/revoke", async (call) => {
    const { token } = await call.input(z.strictObject({ token: z.string() }));
    return { revoked: await call.world.revokeToken(token) };
  }),

  route("GET", "/apps", ({ world }) => world.apps()),
  route("POST", "/apps", async (call) => {
    const shape = z.strictObject({
      name: z.string(),
      slug: z.string().exactOptional(),
      events: z.array(z.string()).exactOptional(),
      permissions: permissions.exactOptional(),
      webhook: webhook.exactOptional(),
    });
    const { app, privateKey } = await call.world.createApp(await call.input(shape));
    return { ...app, privateKey };
  }),
  route("PATCH", "/apps/{id}", async (call) => {
    const shape = z.strictObject({
      events: z.array(z.string()).exactOptional(),
      permissions: permissions.exactOptional(),
      webhook: webhook.nullable().exactOptional(),
    });
    return call.world.updateApp(call.id("id"), await call.input(shape));
  }),
  route("POST", "/apps/{id}/installations", async (call) => {
    const shape = z.strictObject({
      account: z.string(),
      repositories: z.array(z.string()).optional(),
    });
    const { account, repositories } = await call.input(shape);
    return call.world.installApp(call.id("id"), {
      account,
      ...(repositories === undefined ? {} : { repositoryIds: idsOf(call, repositories) }),
    });
  }),
  route("GET", "/installations", ({ world }) => world.installations()),
  route("PATCH", "/installations/{id}", async (call) => {
    const { suspended } = await call.input(z.strictObject({ suspended: z.boolean() }));
    return call.world.suspendInstallation(call.id("id"), suspended);
  }),
  route("DELETE", "/installations/{id}", (call) => call.world.deleteInstallation(call.id("id"))),
  route("POST", "/installations/{id}/tokens", async (call) => {
    const shape = z.strictObject({
      permissions: z.record(z.string(), z.string()).exactOptional(),
      repositories: z.array(z.string()).optional(),
    });
    const { repositories, ...asked } = await call.input(shape);
    return call.world.createInstallationToken(call.id("id"), {
      ...asked,
      ...(repositories === undefined ? {} : { repositoryIds: idsOf(call, repositories) }),
    });
  }),
];

function idsOf(call: AdminCall, names: readonly string[]): number[] {
  return names.map((name) => call.repositoryNamed(name).id);
}
