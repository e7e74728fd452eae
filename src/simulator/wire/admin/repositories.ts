/** Repositories, branches, commits, rules. */
import { z } from "zod";

import type { Repository } from "../../world/model.js";
import { Refusal } from "../../world/refusal.js";
import { type AdminCall, route } from "./route.js";
import { actor, mergeMethod, repositorySettings } from "./shapes.js";

const creating = z.strictObject({
  owner: z.string(),
  name: z.string(),
  ownerType: z.enum(["Organization", "User"]).exactOptional(),
  files: z.record(z.string(), z.string()).exactOptional(),
  ...repositorySettings,
});

const minutes = z.int().min(0).max(360);
const entries = z.int().min(0).max(100);

const ruleset = z.strictObject({
  id: z.int().exactOptional(),
  name: z.string(),
  enforcement: z.enum(["active", "evaluate", "disabled"]).exactOptional(),
  include: z.array(z.string()).exactOptional(),
  exclude: z.array(z.string()).exactOptional(),
  mergeQueue: z
    .strictObject({
      checkResponseTimeoutMinutes: minutes.min(1).exactOptional(),
      groupingStrategy: z.enum(["ALLGREEN", "HEADGREEN"]).exactOptional(),
      maxEntriesToBuild: entries.exactOptional(),
      maxEntriesToMerge: entries.exactOptional(),
      mergeMethod: mergeMethod.exactOptional(),
      minEntriesToMerge: entries.exactOptional(),
      minEntriesToMergeWaitMinutes: minutes.exactOptional(),
    })
    .nullable()
    .exactOptional(),
  requiredStatusChecks: z
    .strictObject({
      checks: z.array(
        z.strictObject({ context: z.string(), integrationId: z.int().nullable().default(null) }),
      ),
      strict: z.boolean().exactOptional(),
    })
    .nullable()
    .exactOptional(),
  requiredApprovals: z.int().min(0).max(10).exactOptional(),
});

const ONE = "/repositories/{owner}/{repo}";

export const repositoryRoutes = [
  route("GET", "/repositories", ({ world }) => world.repositories()),
  route("POST", "/repositories", async (call) => {
    const asked = await call.input(creating);
    const { repository: defaults = {} } = call.services.defaults;
    return call.world.createRepository({
      ...defaults,
      ...asked,
      options: { ...defaults.options, ...asked.options },
    });
  }),
  route("GET", ONE, (call) => call.repository),
  route("PATCH", ONE, async (call) =>
    call.world.updateRepository(
      call.repository,
      await call.input(z.strictObject(repositorySettings)),
    ),
  ),
  route("DELETE", ONE, (call) => call.world.deleteRepository(call.repository)),
  route("POST", `${ONE}/forks`, async (call) => {
    const { owner } = await call.input(z.strictObject({ owner: z.string() }));
    return call.world.forkRepository(call.repository, owner);
  }),
  route("POST", `${ONE}/wrong-tree`, (call) => call.world.writeWrongTree(call.repository)),

  route("GET", `${ONE}/branches`, async (call) => branches(call)),
  route("POST", `${ONE}/branches`, async (call) => {
    const shape = z.strictObject({ name: z.string(), at: z.string().exactOptional(), actor });
    const { actor: login, ...asked } = await call.input(shape);
    const sha = await call.world.createBranch(call.repository, {
      ...asked,
      actor: call.actor(login),
    });
    return { name: asked.name, sha };
  }),
  route("PATCH", `${ONE}/branches/{branch+}`, async (call) => {
    const shape = z.strictObject({ sha: z.string(), force: z.boolean().default(true), actor });
    const { actor: login, ...asked } = await call.input(shape);
    const name = call.param("branch");
    await call.world.updateBranch(call.repository, { ...asked, name, actor: call.actor(login) });
    return { name, sha: asked.sha };
  }),
  route("DELETE", `${ONE}/branches/{branch+}`, (call) =>
    call.world.deleteBranch(
      call.repository,
      call.param("branch"),
      call.actor(call.query("actor") ?? undefined),
    ),
  ),
  route("POST", `${ONE}/branch-renames`, async (call) => {
    const { from, to } = await call.input(z.strictObject({ from: z.string(), to: z.string() }));
    await call.world.renameBranch(call.repository, from, to);
    return { from, to };
  }),
  route("POST", `${ONE}/commits`, async (call) => {
    const shape = z.strictObject({
      branch: z.string(),
      files: z.record(z.string(), z.string().nullable()),
      message: z.string(),
      actor,
    });
    const { actor: login, ...asked } = await call.input(shape);
    const sha = await call.world.commitFiles(call.repository, {
      ...asked,
      actor: call.actor(login),
    });
    return { branch: asked.branch, sha };
  }),
  route("GET", `${ONE}/commits/{ref+}`, async (call) => {
    const { git } = call.services;
    const oid = await git.resolve(call.repository, call.param("ref"));
    const commit = oid === null ? null : await git.commit(call.repository, oid);
    if (commit === null) throw new Refusal("NOT_FOUND", `There is no commit ${call.param("ref")}.`);
    return commit;
  }),

  route("GET", `${ONE}/rulesets`, (call) => call.repository.rulesets),
  route("PUT", `${ONE}/rulesets`, async (call) =>
    call.world.setRuleset(call.repository, await call.input(ruleset)),
  ),
  route("DELETE", `${ONE}/rulesets/{id}`, (call) =>
    call.world.deleteRuleset(call.repository, call.id("id")),
  ),
  route("GET", `${ONE}/queues/{branch+}`, (call) => queue(call, call.repository)),
];

async function branches(call: AdminCall) {
  const refs = await call.world.git(call.repository).refs("refs/heads/");
  return refs.map(({ name, sha }) => ({ name: name.slice("refs/heads/".length), sha }));
}

function queue(call: AdminCall, repository: Repository) {
  const branch = call.param("branch");
  const view = call.world.queue(repository, branch);
  if (view === null)
    throw new Refusal("NOT_FOUND", `No active ruleset gives ${branch} a merge queue.`);
  return { branch, settings: view.settings, entries: view.entries };
}
