/** What resolvers stand on while one request is answered. */
import type { Mergeability } from "../../world/mergeability.js";
import type { Principal, PullRequestView, Repository } from "../../world/model.js";
import { grants } from "../../world/tokens.js";
import type { FaultError } from "../faults.js";
import type { GitReads } from "../git/git-reads.js";
import type { Budget } from "../limits.js";
import type { ServedWorld } from "../served-world.js";
import type { Cost } from "./cost.js";
import { forbidden } from "./errors.js";

export interface GraphqlRequest {
  readonly world: ServedWorld;
  readonly git: GitReads;
  readonly principal: Exclude<Principal, { kind: "app" }>;
  readonly cost: Cost;
  /** After this request was paid. */
  readonly budget: Budget;
  /** A mutation shows what it has done; a query's reads may lag (quirk 24). */
  readonly live: boolean;
  /** Somebody selects `mergeable`, which alone starts its computation (quirk 1). */
  readonly selectsMergeable: boolean;
  /** Somebody selects the test merge, which costs git processes. */
  readonly selectsTestMerge: boolean;
  /** Fields to fail, by script. */
  readonly failing: readonly FaultError[];
  /** Notes what the simulator cannot answer. */
  readonly unexpected: (what: string) => void;
}

export class GraphqlContext {
  readonly #mergeability = new Map<number, Promise<Mergeability>>();
  readonly #refs = new Map<string, Promise<string | null>>();

  constructor(readonly request: GraphqlRequest) {}

  get world(): ServedWorld {
    return this.request.world;
  }

  get git(): GitReads {
    return this.request.git;
  }

  /** Null for a repository the credential does not see. */
  repository(owner: string, name: string): Repository | null {
    const repository = this.world.repository(owner, name);
    return repository !== null && this.sees(repository) ? repository : null;
  }

  sees(repository: Repository): boolean {
    return this.world.canRead(this.request.principal, repository);
  }

  view(repository: Repository, number: number): PullRequestView | null {
    const at = this.request.live ? { at: this.world.clock.now() } : {};
    return this.world.pullRequestView(repository, number, at);
  }

  /** One answer for one pull request in one request: each reading uses up an UNKNOWN. */
  mergeability(repository: Repository, view: PullRequestView): Promise<Mergeability> {
    const { id, number } = view.pullRequest;
    const known = this.#mergeability.get(id);
    if (known !== undefined) return known;
    const asked = this.world.mergeability(repository, number, {
      computeMergeable: this.request.selectsMergeable,
      testMerge: this.request.selectsTestMerge,
    });
    this.#mergeability.set(id, asked);
    return asked;
  }

  /** Commit at a full ref name, read once in a request. */
  ref(repository: Repository, name: string): Promise<string | null> {
    const key = `${repository.id} ${name}`;
    const known = this.#refs.get(key);
    if (known !== undefined) return known;
    const asked = this.git.ref(repository, name);
    this.#refs.set(key, asked);
    return asked;
  }

  /** Rights of an App's token; a person's go by their access. @throws TypedError FORBIDDEN. */
  require(permission: string, level: "read" | "write"): void {
    const { principal } = this.request;
    if (principal.kind === "installation" && !grants(principal.permissions[permission], level))
      throw forbidden();
  }
}
