/** A world with one repository, a queue on `main`, one required check, and a stepped clock. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach } from "vitest";

import { SteppedClock } from "../../../src/simulator/clock.js";
import type {
  Delivery,
  JobScript,
  PullRequest,
  QueueSettings,
  Repository,
  RepositoryOptions,
  RequiredCheck,
  TimelineEvent,
  User,
} from "../../../src/simulator/world/model.js";
import type { CreateRepository } from "../../../src/simulator/world/requests.js";
import { World } from "../../../src/simulator/world/world.js";

export const MINUTE = 60_000;
export const START = Date.parse("2026-03-01T12:00:00Z");

export interface Received {
  readonly delivery: Delivery;
  readonly headers: Record<string, string>;
  readonly payload: Record<string, unknown>;
}

export interface AskWorld {
  readonly queue?: Partial<QueueSettings> | null;
  readonly checks?: readonly RequiredCheck[];
  readonly options?: Partial<RepositoryOptions>;
  readonly repository?: Partial<CreateRepository>;
  /** Jobs of the workflow `ci` on pull requests and groups; by default one job `ci` on hold. */
  readonly jobs?: readonly JobScript[];
  readonly files?: Record<string, string>;
}

export interface AWorld {
  readonly world: World;
  readonly clock: SteppedClock;
  readonly dataDir: string;
  readonly repository: Repository;
  readonly user: User;
  readonly received: Received[];
  /** What the receiver of webhooks answers with. */
  answer: number;
}

const open: AWorld[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) {
    await one.world.idle();
    await one.world.close();
    await rm(one.dataDir, { recursive: true, force: true });
  }
});

export async function aWorld(ask: AskWorld = {}): Promise<AWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), "simulated-world-"));
  const clock = new SteppedClock(START);
  const received: Received[] = [];
  const world = new World({
    dataDir,
    clock,
    deliver: async (delivery, headers) => {
      const payload = JSON.parse(delivery.body) as Record<string, unknown>;
      received.push({ delivery, headers, payload });
      return { status: self.answer };
    },
  });
  const user = await world.createUser("robin");
  const repository = await world.createRepository({
    owner: "acme",
    name: "shop",
    files: { "README.md": "hello\n", ...ask.files },
    ...ask.repository,
    ...(ask.options === undefined ? {} : { options: ask.options }),
  });
  await world.setRuleset(repository, {
    name: "main",
    mergeQueue: ask.queue === undefined ? {} : ask.queue,
    requiredStatusChecks: { checks: ask.checks ?? [{ context: "ci", integrationId: null }] },
  });
  await world.setWorkflows(repository, [
    {
      name: "CI",
      path: ".github/workflows/ci.yml",
      on: ["pull_request", "merge_group"],
      jobs: [...(ask.jobs ?? [{ name: "ci", outcome: "hold", duration: 0 }])],
    },
  ]);
  const self: AWorld = { world, clock, dataDir, repository, user, received, answer: 200 };
  open.push(self);
  return self;
}

/** Opens a pull request that writes `files` on its own branch. */
export async function openPullRequest(
  { world, repository, user }: AWorld,
  branch: string,
  files: Record<string, string> = { [`${branch}.txt`]: `${branch}\n` },
): Promise<PullRequest> {
  await world.commitFiles(repository, { branch, files, message: `Add ${branch}`, actor: user });
  return world.createPullRequest(repository, {
    title: `Land ${branch}`,
    head: branch,
    base: "main",
    actor: user,
  });
}

/** Ends every held job on a commit. */
export async function finish(
  { world, repository }: AWorld,
  sha: string,
  conclusion: "pass" | "fail" | "cancel" = "pass",
): Promise<void> {
  const held = world.heldJobs(repository).filter(({ run }) => run.headSha === sha);
  if (held.length === 0) throw new Error(`no job is held on ${sha}`);
  for (const { job } of held) await world.releaseJob(job.id, conclusion);
}

/** Opens a pull request, lets its checks pass, and enqueues it. */
export async function enqueued(
  it: AWorld,
  branch: string,
  files?: Record<string, string>,
): Promise<PullRequest> {
  const pullRequest = await openPullRequest(it, branch, files);
  await finish(it, pullRequest.headSha);
  await it.world.enqueue(it.repository, pullRequest.number, { actor: it.user });
  return pullRequest;
}

export function entryOf({ world, repository }: AWorld, pullRequest: PullRequest) {
  return world.pullRequestView(repository, pullRequest.number)?.entry ?? null;
}

/** Group commit of a queued pull request. */
export function groupOf(it: AWorld, pullRequest: PullRequest): string {
  const sha = entryOf(it, pullRequest)?.group?.headSha;
  if (sha === undefined) throw new Error(`#${pullRequest.number} has no group`);
  return sha;
}

export async function mainTip({ world, repository }: AWorld): Promise<string> {
  return (await world.git(repository).branch("main")) ?? "none";
}

export async function queueRefs({ world, repository }: AWorld): Promise<string[]> {
  const refs = await world.git(repository).refs("refs/heads/gh-readonly-queue/");
  return refs.map((ref) => ref.name);
}

export function removals(
  pullRequest: PullRequest,
): Extract<TimelineEvent, { type: "RemovedFromMergeQueueEvent" }>[] {
  return pullRequest.timeline.filter((event) => event.type === "RemovedFromMergeQueueEvent");
}

/** `pull_request.enqueued` and so on, in the order received. */
export function names(received: readonly Received[]): string[] {
  return received.map(({ delivery }) =>
    delivery.action === null ? delivery.event : `${delivery.event}.${delivery.action}`,
  );
}
