/** A simulator with one repository, a queue on `main`, one required check, a person, and a stepped clock. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterEach } from "vitest";

import {
  startSimulator,
  type Simulator,
  type SimulatorOptions,
} from "../../../src/simulator/index.js";
import {
  type PullRequestShown,
  type RepositoryAdmin,
  SimulatorAdmin,
} from "../../../src/simulator/wire/admin-client.js";
import type { JobScript } from "../../../src/simulator/world/model.js";
import type { CreateRepository } from "../../../src/simulator/world/requests.js";

export const START = Date.parse("2026-03-01T12:00:00Z");
export const HOUR = 3_600_000;

export interface ASimulator {
  readonly simulator: Simulator;
  readonly admin: SimulatorAdmin;
  readonly repository: RepositoryAdmin;
  /** Of the person `robin`, who may write. */
  readonly token: string;
  /** A folder for clones. */
  readonly folder: string;
  /** Requests that the simulator cannot answer, which this test makes on purpose. */
  expectsUnexpected: boolean;
}

interface AskSimulator {
  readonly options?: Partial<SimulatorOptions>;
  readonly repository?: Partial<CreateRepository>;
  readonly jobs?: readonly JobScript[];
}

const open: ASimulator[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) {
    const unexpected = one.simulator.services.log.unexpected();
    await one.simulator.world.idle();
    await one.simulator.close();
    await rm(one.folder, { recursive: true, force: true });
    if (!one.expectsUnexpected && unexpected.length > 0)
      throw new Error(`unexpected requests: ${JSON.stringify(unexpected)}`);
  }
});

export async function aSimulator(ask: AskSimulator = {}): Promise<ASimulator> {
  const folder = await mkdtemp(join(tmpdir(), "simulated-github-"));
  const simulator = await startSimulator({
    dataDir: join(folder, "data"),
    clock: "stepped",
    start: START,
    ...ask.options,
  });
  const admin = new SimulatorAdmin(simulator.url);
  const token = await admin.createToken("robin");
  const repository = await admin.createRepository({
    owner: "acme",
    name: "shop",
    files: { "README.md": "hello\n" },
    ...ask.repository,
  });
  await repository.setRuleset({
    name: "main",
    mergeQueue: {},
    requiredStatusChecks: { checks: [{ context: "ci", integrationId: null }] },
  });
  await repository.setWorkflows([
    {
      name: "CI",
      path: ".github/workflows/ci.yml",
      on: ["pull_request", "merge_group", "workflow_dispatch"],
      jobs: [...(ask.jobs ?? [{ name: "ci", outcome: "hold", duration: 0 }])],
    },
  ]);
  const self = { simulator, admin, repository, token, folder, expectsUnexpected: false };
  open.push(self);
  return self;
}

/** Opens a pull request that writes one file of the branch's name. */
export async function openPullRequest(
  { repository }: ASimulator,
  branch: string,
): Promise<PullRequestShown> {
  await repository.commit({
    branch,
    files: { [`${branch}.txt`]: `${branch}\n` },
    message: `Add ${branch}`,
    actor: "robin",
  });
  return repository.openPullRequest({ title: `Land ${branch}`, head: branch, actor: "robin" });
}

/** Opens a pull request, passes its checks and puts it into the queue. */
export async function queued(it: ASimulator, branch: string): Promise<PullRequestShown> {
  const { number, headSha } = await openPullRequest(it, branch);
  await it.repository.releaseJobs("pass", { headSha });
  return it.repository.enqueue(number, { actor: "robin" });
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** One REST request with robin's token, or another, or none. */
export async function rest(
  { simulator, token }: ASimulator,
  method: string,
  path: string,
  ask: {
    readonly body?: unknown;
    readonly token?: string | null;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answered> {
  const used = ask.token === undefined ? token : ask.token;
  const answer = await fetch(`${simulator.apiUrl}${path}`, {
    method,
    headers: {
      ...(used === null ? {} : { authorization: `Bearer ${used}` }),
      ...ask.headers,
    },
    ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
  });
  return answered(answer);
}

export interface GraphqlAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: {
    readonly type?: string;
    readonly message: string;
    readonly path?: (string | number)[];
    readonly extensions?: Record<string, unknown>;
  }[];
}

/** One GraphQL request with robin's token, or another. */
export async function graphql(
  { simulator, token }: ASimulator,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  used: string | null = token,
): Promise<Answered & { readonly body: GraphqlAnswer }> {
  const answer = await fetch(`${simulator.url}/api/graphql`, {
    method: "POST",
    headers: used === null ? {} : { authorization: `Bearer ${used}` },
    body: JSON.stringify({ query, variables }),
  });
  const { body, ...rest } = await answered(answer);
  return { ...rest, body: body as GraphqlAnswer };
}

async function answered(answer: Response): Promise<Answered> {
  const text = await answer.text();
  const isJson = (answer.headers.get("content-type") ?? "").startsWith("application/json");
  const body: unknown = isJson ? JSON.parse(text) : null;
  return { status: answer.status, headers: answer.headers, text, body };
}

const run = promisify(execFile);

/** Plain git, with an identity and without this computer's configuration. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await run("git", args, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: "Robin",
      GIT_AUTHOR_EMAIL: "robin@example.org",
      GIT_COMMITTER_NAME: "Robin",
      GIT_COMMITTER_EMAIL: "robin@example.org",
    },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim();
}

/** What git printed when it failed. */
export async function gitFails(cwd: string, ...args: string[]): Promise<string> {
  try {
    await git(cwd, ...args);
  } catch (error) {
    return (error as { readonly stderr: string }).stderr;
  }
  throw new Error(`git ${args.join(" ")} did not fail`);
}
