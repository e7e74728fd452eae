/** Making, changing, forking and deleting repositories. */
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { ADMIN } from "./actors.js";
import { branchMoved } from "./branch-moved.js";
import type { Engine } from "./engine.js";
import { ZERO_OID } from "./git.js";
import { runGit } from "./git-process.js";
import type { Repository } from "./model.js";
import { nodeId } from "./node-ids.js";
import { DEFAULT_OPTIONS } from "./options.js";
import { installHook } from "./ref-locks.js";
import { unprocessable } from "./refusal.js";
import { commitFiles } from "./refs.js";
import type { CreateRepository, UpdateRepository } from "./requests.js";

/** Owner and name end up in addresses and file names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export function list(engine: Engine): Repository[] {
  return engine.state.repositories
    .map((state) => state.repository)
    .filter((repository) => !repository.deleted);
}

/** Names are compared without case, as on GitHub. */
export function find(engine: Engine, owner: string, name: string): Repository | null {
  const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  return list(engine).find((one) => same(one.owner, owner) && same(one.name, name)) ?? null;
}

export function findById(engine: Engine, id: number): Repository | null {
  return list(engine).find((one) => one.id === id) ?? null;
}

/** @throws Refusal UNPROCESSABLE for a bad or taken name. */
export async function create(engine: Engine, ask: CreateRepository): Promise<Repository> {
  const repository = newRepository(engine, ask, null);
  await mkdir(dirname(repository.gitDir), { recursive: true });
  await runGit(dirname(repository.gitDir), [
    "init",
    "--quiet",
    "--bare",
    `--initial-branch=${repository.defaultBranch}`,
    repository.gitDir,
  ]);
  await register(engine, repository);
  if (ask.files !== undefined)
    await commitFiles(engine, repository, {
      branch: repository.defaultBranch,
      files: ask.files,
      message: "Initial commit",
    });
  return repository;
}

/** A fork under another owner, with all branches. */
export async function fork(
  engine: Engine,
  repository: Repository,
  owner: string,
): Promise<Repository> {
  const copy = newRepository(
    engine,
    {
      owner,
      name: repository.name,
      ownerType: "User",
      defaultBranch: repository.defaultBranch,
      private: repository.private,
      anonymousPush: repository.anonymousPush,
    },
    `${repository.owner}/${repository.name}`,
  );
  await mkdir(dirname(copy.gitDir), { recursive: true });
  await runGit(dirname(copy.gitDir), [
    "clone",
    "--quiet",
    "--bare",
    repository.gitDir,
    copy.gitDir,
  ]);
  await register(engine, copy);
  return copy;
}

function newRepository(engine: Engine, ask: CreateRepository, forkOf: string | null): Repository {
  for (const part of [ask.owner, ask.name])
    if (!NAME.test(part)) throw unprocessable(`'${part}' is no valid name`);
  if (find(engine, ask.owner, ask.name) !== null)
    throw unprocessable("name already exists on this account");
  const id = engine.nextId();
  return {
    id,
    nodeId: nodeId("R", id),
    owner: ask.owner,
    ownerType: ask.ownerType ?? "Organization",
    name: ask.name,
    defaultBranch: ask.defaultBranch ?? "main",
    private: ask.private ?? false,
    anonymousPush: ask.anonymousPush ?? true,
    autoMergeAllowed: ask.autoMergeAllowed ?? true,
    mergeCommitAllowed: ask.mergeCommitAllowed ?? true,
    squashMergeAllowed: ask.squashMergeAllowed ?? true,
    rebaseMergeAllowed: ask.rebaseMergeAllowed ?? true,
    deleteBranchOnMerge: ask.deleteBranchOnMerge ?? false,
    gitDir: engine.gitPath(ask.owner, ask.name, id),
    forkOf,
    rulesets: [],
    nextNumber: 1,
    createdAt: engine.stamp(),
    deleted: false,
    options: { ...DEFAULT_OPTIONS, ...ask.options },
  };
}

async function register(engine: Engine, repository: Repository): Promise<void> {
  const git = engine.git(repository);
  // Pushes by URL reach these settings; GitHub allows fetching any commit it has.
  for (const [key, value] of [
    ["http.receivepack", "true"],
    ["uploadpack.allowAnySHA1InWant", "true"],
    ["receive.advertisePushOptions", "true"],
    ["gc.auto", "0"],
  ] as const)
    await git.run(["config", key, value]);
  await installHook(repository);
  engine.state.repositories.push({
    repository,
    pullRequests: [],
    queues: [],
    checkSuites: [],
    checkRuns: [],
    statuses: [],
    workflows: [],
    workflowRuns: [],
    windows: {},
    stirred: [],
    wrongTree: false,
  });
}

/** @throws Refusal UNPROCESSABLE for a default branch that is not there. */
export async function update(
  engine: Engine,
  repository: Repository,
  ask: UpdateRepository,
): Promise<Repository> {
  const target = engine.repositoryState(repository).repository;
  const { options, defaultBranch, ...settings } = ask;
  if (defaultBranch !== undefined) {
    const git = engine.git(target);
    if ((await git.branch(defaultBranch)) === null)
      throw unprocessable(`The branch ${defaultBranch} was not found.`);
    target.defaultBranch = defaultBranch;
    await git.run(["symbolic-ref", "HEAD", `refs/heads/${defaultBranch}`]);
  }
  Object.assign(target, settings);
  Object.assign(target.options, options);
  return target;
}

/** Its branches go too, which closes pull requests from it elsewhere. */
export async function remove(engine: Engine, repository: Repository): Promise<void> {
  const state = engine.repositoryState(repository);
  const full = `${repository.owner}/${repository.name}`;
  const headElsewhere = new Set(
    engine.state.repositories
      .filter((one) => one !== state)
      .flatMap((one) => one.pullRequests)
      .filter((one) => one.headRepository === full)
      .map((one) => one.headBranch),
  );
  for (const ref of await engine.git(repository).refs("refs/heads/"))
    if (headElsewhere.has(ref.name.slice("refs/heads/".length)))
      await branchMoved(engine, state, { ref: ref.name, before: ref.sha, after: ZERO_OID }, ADMIN);
  state.repository.deleted = true;
  state.queues.length = 0;
  await rm(repository.gitDir, { recursive: true, force: true });
}
