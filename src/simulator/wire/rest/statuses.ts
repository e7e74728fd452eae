/** Commit statuses. */
import { z } from "zod";

import type { CommitStatus } from "../../world/model.js";
import { userPayload } from "../../world/payloads/account.js";
import { seconds } from "../../world/payloads/links.js";
import { repositoryPayload } from "../../world/payloads/repository.js";
import { type Answer, json } from "../http/answer.js";
import { given, type RestCall } from "./call.js";
import { requireCommit } from "./commit-payloads.js";
import { listed, pageOf } from "./paging.js";
import { reading, writing } from "./repository-routes.js";

export const statusRoutes = [
  writing("POST", "/statuses/{sha}", "statuses", create),
  reading("/commits/{ref+}/statuses", "statuses", async (call) => {
    const { sha } = await requireCommit(call, call.param("ref"));
    const statuses = call.world.statuses(call.repository, sha);
    return listed(call, statuses, (status) => statusPayload(call, status));
  }),
  reading("/commits/{ref+}/status", "statuses", combined),
];

const input = z.object({
  state: z.enum(["error", "failure", "pending", "success"]),
  target_url: z.string().nullish(),
  description: z.string().nullish(),
  context: z.string().optional(),
});

async function create(call: RestCall): Promise<Answer> {
  const { state, target_url, description, context } = await call.input(input);
  const status = await call.world.createStatus(call.repository, {
    sha: call.param("sha"),
    state,
    creator: call.actor,
    appId: call.principal?.kind === "installation" ? call.principal.app.id : null,
    ...given({ context, description, targetUrl: target_url }),
  });
  return json(201, statusPayload(call, status));
}

function statusPayload(call: RestCall, status: CommitStatus): Record<string, unknown> {
  return { ...common(call, status), creator: userPayload(call.links, status.creator) };
}

function common({ links }: RestCall, status: CommitStatus): Record<string, unknown> {
  return {
    url: `${links.api}/statuses/${status.sha}`,
    avatar_url: `${links.account(status.creator.login)}.png`,
    id: status.id,
    node_id: status.nodeId,
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: seconds(status.createdAt),
    updated_at: seconds(status.createdAt),
  };
}

/** The newest of each context; check runs do not count (github-facts 2.3). */
async function combined(call: RestCall): Promise<Answer> {
  const { sha } = await requireCommit(call, call.param("ref"));
  const newest = new Map<string, CommitStatus>();
  for (const status of call.world.statuses(call.repository, sha))
    if (!newest.has(status.context)) newest.set(status.context, status);
  const statuses = [...newest.values()];
  const { items, headers } = pageOf(call, statuses);
  return json(
    200,
    {
      state: combinedState(statuses),
      statuses: items.map((status) => common(call, status)),
      sha,
      total_count: statuses.length,
      repository: repositoryPayload(call.world.insides, call.repository),
      commit_url: `${call.links.api}/commits/${sha}`,
      url: `${call.links.api}/commits/${sha}/status`,
    },
    headers,
  );
}

function combinedState(statuses: readonly CommitStatus[]): string {
  if (statuses.some(({ state }) => state === "failure" || state === "error")) return "failure";
  const waits = statuses.length === 0 || statuses.some(({ state }) => state === "pending");
  return waits ? "pending" : "success";
}
