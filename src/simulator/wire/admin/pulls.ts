/** Pull requests and what can be done to them, in the name of anybody. */
import { z } from "zod";

import type { PullRequest } from "../../world/model.js";
import { type AdminCall, given, route } from "./route.js";
import { actor, mergeMethod } from "./shapes.js";

const ALL = "/repositories/{owner}/{repo}/pulls";
const ONE = `${ALL}/{number}`;

const byActor = z.strictObject({ actor });
const expected = z.strictObject({ actor, expectedHeadOid: z.string().optional() });

/** `dequeued.reason` of the public webhook schema (github-facts 3.2). */
const REASONS = [
  "UNKNOWN_REMOVAL_REASON",
  "MANUAL",
  "MERGE",
  "MERGE_CONFLICT",
  "CI_FAILURE",
  "CI_TIMEOUT",
  "ALREADY_MERGED",
  "QUEUE_CLEARED",
  "ROLL_BACK",
  "BRANCH_PROTECTIONS",
  "GIT_TREE_INVALID",
  "INVALID_MERGE_COMMIT",
] as const;

/** The live pull request with its queue entry, without lag. */
function shown(call: AdminCall, { number }: PullRequest) {
  const at = call.world.clock.now();
  const view = call.world.pullRequestView(call.repository, number, { at });
  return { ...view?.pullRequest, entry: view?.entry ?? null };
}

/** An operation that needs to know only who does it. */
function acted(
  name: string,
  act: (call: AdminCall, pullRequest: PullRequest, login: string | undefined) => Promise<unknown>,
) {
  return route("POST", `${ONE}/${name}`, async (call) => {
    const { actor: login } = await call.input(byActor);
    const { pullRequest } = call;
    await act(call, pullRequest, login);
    return shown(call, pullRequest);
  });
}

export const pullRoutes = [
  route("GET", ALL, (call) =>
    call.world.pullRequests(call.repository).map((one) => shown(call, one)),
  ),
  route("POST", ALL, async (call) => {
    const shape = z.strictObject({
      title: z.string(),
      body: z.string().exactOptional(),
      head: z.string(),
      headRepository: z.string().exactOptional(),
      base: z.string().optional(),
      draft: z.boolean().exactOptional(),
      maintainerCanModify: z.boolean().exactOptional(),
      actor,
    });
    const { actor: login, base, ...asked } = await call.input(shape);
    const pullRequest = await call.world.createPullRequest(call.repository, {
      ...asked,
      base: base ?? call.repository.defaultBranch,
      actor: call.actor(login),
    });
    return shown(call, pullRequest);
  }),
  route("GET", ONE, (call) => shown(call, call.pullRequest)),
  route("PATCH", ONE, async (call) => {
    const shape = z.strictObject({
      title: z.string().exactOptional(),
      body: z.string().exactOptional(),
      base: z.string().exactOptional(),
      draft: z.boolean().optional(),
      actor,
    });
    const { actor: login, draft, ...asked } = await call.input(shape);
    const { repository, pullRequest, world } = call;
    const by = call.actor(login);
    if (Object.keys(asked).length > 0)
      await world.editPullRequest(repository, pullRequest.number, { ...asked, actor: by });
    if (draft !== undefined) await world.setDraft(repository, pullRequest.number, draft, by);
    return shown(call, pullRequest);
  }),
  acted("close", (call, { number }, login) =>
    call.world.closePullRequest(call.repository, number, call.actor(login)),
  ),
  acted("reopen", (call, { number }, login) =>
    call.world.reopenPullRequest(call.repository, number, call.actor(login)),
  ),
  acted("approve", (call, { number }, login) =>
    call.world.approve(call.repository, number, call.actor(login)),
  ),
  acted("dequeue", (call, { number }, login) =>
    call.world.dequeue(call.repository, number, call.actor(login)),
  ),
  acted("disarm", (call, { number }, login) =>
    call.world.disableAutoMerge(call.repository, number, call.actor(login)),
  ),
  route("POST", `${ONE}/arm`, async (call) => {
    const shape = expected.extend({ mergeMethod: mergeMethod.optional() });
    const { actor: login, ...asked } = await call.input(shape);
    const { pullRequest } = call;
    await call.world.enableAutoMerge(call.repository, pullRequest.number, {
      ...given(asked),
      actor: call.actor(login),
    });
    return shown(call, pullRequest);
  }),
  route("POST", `${ONE}/enqueue`, async (call) => {
    const shape = expected.extend({ jump: z.boolean().optional() });
    const { actor: login, ...asked } = await call.input(shape);
    const { pullRequest } = call;
    await call.world.enqueue(call.repository, pullRequest.number, {
      ...given(asked),
      actor: call.actor(login),
    });
    return shown(call, pullRequest);
  }),
  route("POST", `${ONE}/merge`, async (call) => {
    const shape = expected.extend({ mergeMethod: mergeMethod.optional() });
    const { actor: login, ...asked } = await call.input(shape);
    const { pullRequest } = call;
    await call.world.mergePullRequest(call.repository, pullRequest.number, {
      ...given(asked),
      actor: call.actor(login),
    });
    return shown(call, pullRequest);
  }),
  route("POST", `${ONE}/update-branch`, async (call) => {
    const { actor: login, ...asked } = await call.input(expected);
    const { pullRequest } = call;
    await call.world.updatePullRequestBranch(call.repository, pullRequest.number, {
      ...given(asked),
      actor: call.actor(login),
    });
    return shown(call, pullRequest);
  }),
  route("POST", `${ONE}/remove-from-queue`, async (call) => {
    const { reason } = await call.input(z.strictObject({ reason: z.enum(REASONS) }));
    const { pullRequest } = call;
    await call.world.removeFromQueue(call.repository, pullRequest.number, reason);
    return shown(call, pullRequest);
  }),
];
