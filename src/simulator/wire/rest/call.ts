/** A REST request on its way to its handler. */
import type { z } from "zod";

import type { Principal, Repository } from "../../world/model.js";
import type { RepositoryState } from "../../world/state.js";
import { linksOf, type Links } from "../../world/payloads/links.js";
import { Refusal } from "../../world/refusal.js";
import type { GitReads } from "../git/git-reads.js";
import type { Answer } from "../http/answer.js";
import type { Incoming } from "../http/incoming.js";
import type { Route } from "../http/router.js";
import type { ServedWorld } from "../served-world.js";
import type { Services } from "../services.js";

/** What a caller needs: nothing, an App's JWT, or a right in the repository of the path. */
export type Need =
  | { readonly kind: "anyone" }
  | { readonly kind: "someone" }
  | { readonly kind: "installation" }
  | { readonly kind: "app" }
  | {
      readonly kind: "repository";
      readonly permission: string;
      readonly level: "read" | "write";
    };

export interface RestRoute extends Route {
  readonly need: Need;
  readonly handle: (call: RestCall) => Promise<Answer> | Answer;
}

export class RestCall {
  constructor(
    readonly services: Services,
    readonly incoming: Incoming,
    readonly principal: Principal | null,
    readonly params: Readonly<Record<string, string>>,
    readonly found: Repository | null,
  ) {}

  get world(): ServedWorld {
    return this.services.world;
  }

  get git(): GitReads {
    return this.services.git;
  }

  get query(): URLSearchParams {
    return this.incoming.query;
  }

  /** Of a route under `/repos/{owner}/{repo}`. */
  get repository(): Repository {
    if (this.found === null) throw new Refusal("NOT_FOUND", "Not Found");
    return this.found;
  }

  get state(): RepositoryState {
    return this.world.stateOf(this.repository);
  }

  get links(): Links {
    return linksOf(this.world.insides, this.repository);
  }

  /** Whoever writes has a credential: the route's need says so. */
  get actor(): Principal["actor"] {
    if (this.principal === null) throw new Refusal("FORBIDDEN", "Requires authentication");
    return this.principal.actor;
  }

  param(name: string): string {
    return this.params[name] ?? "";
  }

  /** A number of the path. @throws Refusal NOT_FOUND. */
  id(name: string): number {
    const value = Number(this.param(name));
    if (!Number.isSafeInteger(value)) throw new Refusal("NOT_FOUND", "Not Found");
    return value;
  }

  /** @throws Refusal UNPROCESSABLE naming the first thing wrong; BadRequest for no JSON. */
  async input<T>(shape: z.ZodType<T>): Promise<T> {
    const parsed = shape.safeParse(await this.incoming.json());
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const place = issue?.path.join("/") ?? "";
    throw new Refusal(
      "UNPROCESSABLE",
      `Invalid request.\n\n${place === "" ? "" : `For '${place}', `}${issue?.message ?? "invalid"}.`,
    );
  }

  /** The address a client asked, without its page. */
  address(): string {
    const query = new URLSearchParams(this.query);
    query.delete("page");
    const text = query.toString();
    return `${this.world.baseUrl}${this.incoming.path}${text === "" ? "" : `?${text}`}`;
  }
}

/** Turns `null` and `undefined` into an absent key: the world tells them apart. */
export function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]?: NonNullable<T[K]> };
}
