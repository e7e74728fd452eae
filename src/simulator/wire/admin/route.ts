/** One operation of the admin API. */
import type { z } from "zod";

import { Refusal } from "../../world/refusal.js";
import type { Actor, PullRequest, Repository } from "../../world/model.js";
import { ADMIN, ACTIONS_BOT, botOf } from "../../world/actors.js";
import type { Incoming } from "../http/incoming.js";
import type { Route } from "../http/router.js";
import type { ServedWorld } from "../served-world.js";
import type { Services } from "../services.js";

export interface AdminRoute extends Route {
  readonly handle: (call: AdminCall) => unknown;
}

export class AdminCall {
  constructor(
    readonly services: Services,
    readonly incoming: Incoming,
    readonly params: Readonly<Record<string, string>>,
  ) {}

  get world(): ServedWorld {
    return this.services.world;
  }

  param(name: string): string {
    return this.params[name] ?? "";
  }

  /** A number of the path. @throws Refusal NOT_FOUND. */
  id(name: string): number {
    const value = Number(this.param(name));
    if (!Number.isSafeInteger(value))
      throw new Refusal("NOT_FOUND", `'${this.param(name)}' is no number`);
    return value;
  }

  query(name: string): string | null {
    return this.incoming.query.get(name);
  }

  /** @throws InvalidInput naming everything wrong. */
  async input<T>(shape: z.ZodType<T>): Promise<T> {
    const parsed = shape.safeParse(await this.incoming.json());
    if (parsed.success) return parsed.data;
    const wrong = parsed.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join(".")}: ${message}`,
    );
    throw new InvalidInput(wrong.join("; "));
  }

  /** Of `{owner}/{repo}` in the path. @throws Refusal NOT_FOUND. */
  get repository(): Repository {
    return this.repositoryNamed(`${this.param("owner")}/${this.param("repo")}`);
  }

  /** @throws Refusal NOT_FOUND. */
  repositoryNamed(full: string): Repository {
    const [owner = "", name = ""] = full.split("/");
    const repository = this.world.repository(owner, name);
    if (repository === null) throw new Refusal("NOT_FOUND", `There is no repository ${full}.`);
    return repository;
  }

  /** @throws Refusal NOT_FOUND. */
  get pullRequest(): PullRequest {
    const number = this.id("number");
    const found = this.world.pullRequest(this.repository, number);
    if (found === null) throw new Refusal("NOT_FOUND", `There is no pull request ${number}.`);
    return found;
  }

  /** A person, an App's bot `slug[bot]`, GitHub Actions, or the admin. @throws Refusal NOT_FOUND. */
  actor(login: string | undefined): Actor {
    if (login === undefined || login === ADMIN.login) return ADMIN;
    if (login === ACTIONS_BOT.login) return ACTIONS_BOT;
    const user = this.world.users().find((one) => one.login === login);
    if (user !== undefined) return user;
    const app = this.world.apps().find(({ slug }) => `${slug}[bot]` === login);
    if (app !== undefined) return botOf(app);
    throw new Refusal("NOT_FOUND", `There is no user ${login}: POST /_sim/users makes one.`);
  }
}

/** The body of a request does not say what the operation needs: HTTP 400. */
export class InvalidInput extends Error {
  override readonly name = "InvalidInput";
}

export function route(
  method: AdminRoute["method"],
  path: string,
  handle: AdminRoute["handle"],
): AdminRoute {
  return { method, path: `/_sim${path}`, handle };
}

/** Leaves out what was not given: the world tells absence from a value. */
export function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]?: NonNullable<T[K]> };
}
