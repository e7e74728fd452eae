/** Branches and refs. */
import { z } from "zod";

import { Refusal } from "../../world/refusal.js";
import { type Answer, empty, json } from "../http/answer.js";
import type { RestCall } from "./call.js";
import { commitPayload, refPayload, requireCommit, shortCommit } from "./commit-payloads.js";
import { listed } from "./paging.js";
import { reading, writing } from "./repository-routes.js";

const HEADS = "refs/heads/";

export const refRoutes = [
  reading("/branches", "contents", async (call) => {
    const refs = await call.world.git(call.repository).refs(HEADS);
    return listed(call, refs, ({ name, sha }) => branchPayload(call, name, shortCommit(call, sha)));
  }),
  reading("/branches/{branch+}", "contents", branch),
  reading("/git/ref/{ref+}", "contents", async (call) => {
    const name = `refs/${call.param("ref")}`;
    const target = await call.git.target(call.repository, name);
    if (target === null) throw new Refusal("NOT_FOUND", "Not Found");
    return json(200, refPayload(call, name, target));
  }),
  reading("/git/matching-refs/{ref+}", "contents", async (call) => {
    // No paging: the description has none (github-facts 2.6).
    const refs = await call.world.git(call.repository).refs(`refs/${call.param("ref")}`);
    return json(
      200,
      refs.map(({ name, sha }) => refPayload(call, name, { oid: sha, type: "commit" })),
    );
  }),
  writing("POST", "/git/refs", "contents", create),
  writing("PATCH", "/git/refs/{ref+}", "contents", update),
  writing("DELETE", "/git/refs/{ref+}", "contents", async (call) => {
    await call.world.deleteBranch(call.repository, branchName(call.param("ref")), call.actor);
    return empty(204);
  }),
];

function branchPayload(
  call: RestCall,
  ref: string,
  commit: Record<string, unknown>,
): Record<string, unknown> {
  const name = ref.slice(HEADS.length);
  // `protected` speaks of classic protection and of rulesets alike; `protection` only of the former (quirk 37).
  const isProtected = call.world.branchRules(call.repository, name).rulesets.length > 0;
  return {
    name,
    commit,
    protected: isProtected,
    protection: {
      enabled: false,
      required_status_checks: { enforcement_level: "off", contexts: [], checks: [] },
    },
    protection_url: `${call.links.api}/branches/${name}/protection`,
  };
}

async function branch(call: RestCall): Promise<Answer> {
  const name = call.param("branch");
  const sha = await call.git.branch(call.repository, name);
  if (sha === null) throw new Refusal("NOT_FOUND", "Branch not found");
  const commit = commitPayload(call, await requireCommit(call, sha));
  return json(200, {
    ...branchPayload(call, `${HEADS}${name}`, commit),
    _links: {
      self: `${call.links.api}/branches/${name}`,
      html: `${call.links.html}/tree/${name}`,
    },
  });
}

const newRef = z.object({ ref: z.string(), sha: z.string() });
const movedRef = z.object({ sha: z.string(), force: z.boolean().default(false) });

async function create(call: RestCall): Promise<Answer> {
  const { ref, sha } = await call.input(newRef);
  const oid = await call.world.createBranch(call.repository, {
    name: branchName(ref.replace(/^refs\//, "")),
    at: sha,
    actor: call.actor,
  });
  return json(201, refPayload(call, ref, { oid, type: "commit" }));
}

async function update(call: RestCall): Promise<Answer> {
  const name = branchName(call.param("ref"));
  const { sha, force } = await call.input(movedRef);
  await call.world.updateBranch(call.repository, { name, sha, force, actor: call.actor });
  return json(200, refPayload(call, `${HEADS}${name}`, { oid: sha, type: "commit" }));
}

/** @throws Refusal UNPROCESSABLE for what is no branch: only those are simulated as writable. */
function branchName(ref: string): string {
  if (!ref.startsWith("heads/"))
    throw new Refusal("UNPROCESSABLE", `Reference name must start with 'refs/heads/': refs/${ref}`);
  return ref.slice("heads/".length);
}
