/** Pull requests. */
import { z } from "zod";

import type { PullRequest } from "../../world/model.js";
import { Refusal } from "../../world/refusal.js";
import { type Answer, empty, json } from "../http/answer.js";
import { ValidationFailed } from "../refusals.js";
import { given, type RestCall } from "./call.js";
import { commitPayload } from "./commit-payloads.js";
import { filesBetween } from "./commits.js";
import { listed } from "./paging.js";
import { simplePullRequest, wholePullRequest } from "./pull-payloads.js";
import { reading, writing } from "./repository-routes.js";

/** `pulls/{n}/files` ends here (github-facts 2.6). */
const MOST_FILES = 3000;

export const pullRoutes = [
  reading("/pulls", "pull_requests", list),
  writing("POST", "/pulls", "pull_requests", create),
  reading("/pulls/{pull_number}", "pull_requests", async (call) =>
    json(200, await wholePullRequest(call, seen(call))),
  ),
  writing("PATCH", "/pulls/{pull_number}", "pull_requests", edit),
  reading("/pulls/{pull_number}/files", "pull_requests", async (call) => {
    const { baseSha, headSha } = seen(call);
    const files = await filesBetween(call, baseSha, headSha);
    return listed(call, files.slice(0, MOST_FILES), (file) => file);
  }),
  reading("/pulls/{pull_number}/commits", "pull_requests", async (call) => {
    const { baseSha, headSha } = seen(call);
    const commits = await call.git.commitsBetween(call.repository, baseSha, headSha);
    return listed(call, commits, (commit) => commitPayload(call, commit));
  }),
  reading("/pulls/{pull_number}/merge", "contents", (call) => {
    if (seen(call).state !== "MERGED") throw new Refusal("NOT_FOUND", "Not Found");
    return empty(204);
  }),
  writing("PUT", "/pulls/{pull_number}/merge", "contents", merge),
  writing("PUT", "/pulls/{pull_number}/update-branch", "pull_requests", updateBranch),
];

/** As a reader sees it: lagging by the repository's option. @throws Refusal NOT_FOUND. */
function seen(call: RestCall): PullRequest {
  const view = call.world.pullRequestView(call.repository, call.id("pull_number"));
  if (view === null) throw new Refusal("NOT_FOUND", "Not Found");
  return view.pullRequest;
}

async function list(call: RestCall): Promise<Answer> {
  const { repository, query } = call;
  const state = query.get("state") ?? "open";
  const head = query.get("head");
  const base = query.get("base");
  const views = call.world
    .pullRequests(repository)
    .flatMap(({ number }) => call.world.pullRequestView(repository, number) ?? [])
    .map(({ pullRequest }) => pullRequest)
    .filter(
      (one) =>
        (state === "all" || (state === "open") === (one.state === "OPEN")) &&
        (base === null || base === one.baseBranch) &&
        (head === null || head === headLabel(one)),
    );
  const byUpdate = query.get("sort") === "updated";
  const direction = query.get("direction") ?? (query.has("sort") ? "asc" : "desc");
  const sign = direction === "asc" ? 1 : -1;
  const key = (one: PullRequest): string => (byUpdate ? one.updatedAt : one.createdAt);
  views.sort(
    (one, other) =>
      sign * (key(one) === key(other) ? one.number - other.number : key(one) < key(other) ? -1 : 1),
  );
  return listed(call, views, (one) => simplePullRequest(call, one));
}

function headLabel({ headRepository, headBranch }: PullRequest): string {
  return `${headRepository.split("/")[0] ?? ""}:${headBranch}`;
}

const opening = z.object({
  title: z.string(),
  head: z.string(),
  head_repo: z.string().optional(),
  base: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().optional(),
  maintainer_can_modify: z.boolean().optional(),
});

async function create(call: RestCall): Promise<Answer> {
  const input = await call.input(opening);
  const { head, headRepository } = headOf(call, input.head, input.head_repo);
  const { number } = await wrapped("PullRequest", () =>
    call.world.createPullRequest(call.repository, {
      title: input.title,
      head,
      base: input.base,
      actor: call.actor,
      ...given({
        body: input.body,
        draft: input.draft,
        maintainerCanModify: input.maintainer_can_modify,
        headRepository,
      }),
    }),
  );
  return json(201, await wholePullRequest(call, live(call, number)));
}

/** `branch`, `owner:branch` of a fork of the same name, or with `head_repo` its name. */
function headOf(call: RestCall, head: string, headRepo: string | undefined) {
  const split = /^([^:]+):(.+)$/.exec(head);
  if (split === null) return { head, headRepository: undefined };
  const [, owner = "", branch = ""] = split;
  const headRepository = headRepo ?? `${owner}/${call.repository.name}`;
  return { head: branch, headRepository };
}

const editing = z.object({
  title: z.string().optional(),
  body: z.string().nullish(),
  base: z.string().optional(),
  state: z.enum(["open", "closed"]).optional(),
});

async function edit(call: RestCall): Promise<Answer> {
  const { state, ...input } = await call.input(editing);
  const { repository, actor, world } = call;
  const number = call.id("pull_number");
  const before = live(call, number).state;
  await wrapped("PullRequest", async () => {
    const changes = given(input);
    if (Object.keys(changes).length > 0)
      await world.editPullRequest(repository, number, { ...changes, actor });
    if (state === "closed" && before === "OPEN")
      await world.closePullRequest(repository, number, actor);
    if (state === "open" && before !== "OPEN")
      await world.reopenPullRequest(repository, number, actor);
  });
  return json(200, await wholePullRequest(call, live(call, number)));
}

/** What a write answers is never behind the write. @throws Refusal NOT_FOUND. */
function live(call: RestCall, number: number): PullRequest {
  const pullRequest = call.world.pullRequest(call.repository, number);
  if (pullRequest === null) throw new Refusal("NOT_FOUND", "Not Found");
  return pullRequest;
}

const merging = z.object({
  sha: z.string().optional(),
  merge_method: z.enum(["merge", "squash", "rebase"]).default("merge"),
});

async function merge(call: RestCall): Promise<Answer> {
  const { sha, merge_method } = await call.input(merging);
  const mergeMethod = ({ merge: "MERGE", squash: "SQUASH", rebase: "REBASE" } as const)[
    merge_method
  ];
  const landed = await call.world.mergePullRequest(call.repository, call.id("pull_number"), {
    actor: call.actor,
    mergeMethod,
    ...given({ expectedHeadOid: sha }),
  });
  return json(200, { sha: landed, merged: true, message: "Pull Request successfully merged" });
}

const updating = z.object({ expected_head_sha: z.string().optional() });

async function updateBranch(call: RestCall): Promise<Answer> {
  const { expected_head_sha } = await call.input(updating);
  const number = call.id("pull_number");
  await call.world.updatePullRequestBranch(call.repository, number, {
    actor: call.actor,
    ...given({ expectedHeadOid: expected_head_sha }),
  });
  return json(202, {
    message: "Updating pull request branch.",
    url: `${call.links.html}/pull/${number}`,
  });
}

/** GitHub wraps the refusals of these calls as failed validations. */
async function wrapped<T>(resource: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal && error.type === "UNPROCESSABLE")
      throw new ValidationFailed(resource, error.message);
    throw error;
  }
}
