/** Repositories, refs and rules. */
import type { GitDirectory } from "../git.js";
import type * as model from "../model.js";
import { findNode, type WorldNode } from "../nodes.js";
import * as push from "../push.js";
import * as refs from "../refs.js";
import * as repositories from "../repositories.js";
import type * as request from "../requests.js";
import { checkVerdict, type CheckVerdict } from "../required-checks.js";
import { branchRules, type BranchRules } from "../rules.js";
import * as rulesets from "../rulesets.js";
import { WorldLife } from "./life.js";

type Repository = model.Repository;

export class WorldRepositories extends WorldLife {
  repositories(): Repository[] {
    return repositories.list(this.engine);
  }

  repository(owner: string, name: string): Repository | null {
    return repositories.find(this.engine, owner, name);
  }

  repositoryById(id: number): Repository | null {
    return repositories.findById(this.engine, id);
  }

  /** What a node id stands for, or null. */
  node(nodeId: string): WorldNode | null {
    return findNode(this.engine, nodeId);
  }

  /** Reads of the bare git repository: refs, commits, comparisons. */
  git(repository: Repository): GitDirectory {
    return this.engine.git(repository);
  }

  createRepository(ask: request.CreateRepository): Promise<Repository> {
    return this.engine.mutate("create repository", () => repositories.create(this.engine, ask));
  }

  updateRepository(repository: Repository, ask: request.UpdateRepository): Promise<Repository> {
    return this.engine.mutate("update repository", () =>
      repositories.update(this.engine, repository, ask),
    );
  }

  deleteRepository(repository: Repository): Promise<void> {
    return this.engine.mutate("delete repository", () =>
      repositories.remove(this.engine, repository),
    );
  }

  forkRepository(repository: Repository, owner: string): Promise<Repository> {
    return this.engine.mutate("fork", () => repositories.fork(this.engine, repository, owner));
  }

  // Refs

  /** One commit on a branch (made when absent, from the default branch); returns its oid. */
  commitFiles(repository: Repository, ask: request.CommitFiles): Promise<string> {
    return this.engine.mutate("commit files", () => refs.commitFiles(this.engine, repository, ask));
  }

  /** `at`: a branch, ref or oid, by default the default branch. Returns the oid. */
  createBranch(
    repository: Repository,
    ask: { name: string; at?: string; actor?: model.Actor },
  ): Promise<string> {
    return this.engine.mutate("create branch", () =>
      refs.createBranch(this.engine, repository, ask),
    );
  }

  deleteBranch(repository: Repository, name: string, actor?: model.Actor): Promise<void> {
    return this.engine.mutate("delete branch", () =>
      refs.deleteBranch(this.engine, repository, name, actor),
    );
  }

  renameBranch(repository: Repository, name: string, to: string): Promise<void> {
    return this.engine.mutate("rename branch", () =>
      refs.renameBranch(this.engine, repository, name, to),
    );
  }

  /**
   * Moves a branch as `PATCH git/refs` does. @throws Refusal UNPROCESSABLE when it is not a
   * fast-forward and `force` is false, or when a push of it would be refused.
   */
  updateBranch(
    repository: Repository,
    ask: { name: string; sha: string; force?: boolean; actor: model.Actor },
  ): Promise<void> {
    return this.engine.mutate("update branch", () =>
      refs.updateBranch(this.engine, repository, ask),
    );
  }

  /**
   * Tells the world which refs a git push has moved. Refusals of single refs (GH006, GH013) have been
   * made before, by the `update` hook of the bare repository.
   */
  afterPush(
    repository: Repository,
    updates: readonly model.RefUpdate[],
    actor: model.Actor,
  ): Promise<void> {
    return this.engine.mutate("push", () =>
      push.afterPush(this.engine, repository, updates, actor),
    );
  }

  // Rules

  setRuleset(repository: Repository, ask: request.SetRuleset): Promise<model.Ruleset> {
    return this.engine.mutate("set ruleset", () =>
      rulesets.setRuleset(this.engine, repository, ask),
    );
  }

  deleteRuleset(repository: Repository, id: number): Promise<void> {
    return this.engine.mutate("delete ruleset", () =>
      rulesets.deleteRuleset(this.engine, repository, id),
    );
  }

  /** Active rules of a branch, merged over all rulesets; the branch need not exist. */
  branchRules(repository: Repository, branch: string): BranchRules {
    return branchRules(repository, branch);
  }

  /** How one required check stands on a commit. */
  checkVerdict(repository: Repository, sha: string, check: model.RequiredCheck): CheckVerdict {
    return checkVerdict(this.engine.repositoryState(repository), sha, check);
  }
}
