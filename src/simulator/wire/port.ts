/** What the parts of the wire hand to each other: a request as it was read, an answer as it is to be written. */
import type { Principal } from "../world/model.js";

export interface WireRequest {
  readonly method: string;
  /** Path below the API's prefix, starting with `/`, percent-decoded per segment by the router. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON body, `undefined` without one. */
  readonly body: unknown;
  /** Who asks; null without a valid credential. */
  readonly principal: Principal | null;
  /** Origin of the simulator, for links in answers: `http://127.0.0.1:PORT`. */
  readonly origin: string;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON value; `undefined` writes no body. */
  readonly body?: unknown;
  /** Name for the request log: `GET /repos/{owner}/{repo}/pulls/{number}`, or `GraphQL observe`. */
  readonly route: string;
  /** GraphQL points (github-facts 1.8). */
  readonly cost?: number;
}
