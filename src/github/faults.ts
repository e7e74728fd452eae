/** What a failed request means, in the kinds of the port. Pure: everything it needs is passed in. */
import { whole } from "./limits.js";
import { type GitHubFault, GitHubError } from "./port.js";
import { refusalMeaning, saysSecondaryLimit } from "./refusal-text.js";

/** A write may have happened though its answer is lost; a read never matters. */
export type Intent = "read" | "write";

export type Headers = Readonly<Record<string, string | undefined>>;

/** One of `errors[]` of a GraphQL answer. */
export interface GraphqlError {
  readonly type: string | null;
  readonly message: string;
  readonly path: readonly (string | number)[];
  /** `extensions.code`, set when the document itself was refused. */
  readonly code: string | null;
}

/** GitHub was too slow or fell over: fewer nodes in one request may help (github-facts 4.33). */
export class OverloadError extends GitHubError {}

/** Waiting time when a secondary limit does not say how long (github-facts 2.8). */
const SECONDARY_WAIT_MS = 60_000;

/** Both spellings are met (github-facts 4.35). */
const RATE_LIMIT_TYPES: ReadonlySet<string> = new Set(["RATE_LIMIT", "RATE_LIMITED"]);
const NO_ACCESS_TYPES: ReadonlySet<string> = new Set([
  "FORBIDDEN",
  "NOT_FOUND",
  "INSUFFICIENT_SCOPES",
  "INSUFFICIENT_PERMISSIONS",
]);
const REFUSED_TYPES: ReadonlySet<string> = new Set(["UNPROCESSABLE", "VALIDATION"]);

/** The fault of an HTTP status of 300 and more. `now` is local, for answers without a `Date`. */
export function httpFault(
  status: number,
  headers: Headers,
  text: string,
  intent: Intent,
  now: number,
): GitHubFault {
  const said = `GitHub answered ${status}: ${text}${requestId(headers)}`;
  if (status === 429 || (status === 403 && limited(headers, text))) {
    return { kind: "rate_limited", retryAfterMs: waitingTime(headers, now), message: said };
  }
  if (status === 401 || status === 403 || status === 404 || status === 410 || status === 451) {
    return { kind: "no_access", status, message: said };
  }
  if (status >= 500) return lost(intent, said);
  if (status < 400) {
    const to = headers["location"] ?? "another address";
    return {
      kind: "unavailable",
      message: `GitHub answered ${status} and points to ${to}; check the API URL of the project`,
    };
  }
  return { kind: "refused", status, type: null, meaning: refusalMeaning(text), message: said };
}

/** The fault of a request that got no whole answer. */
export function networkFault(cause: unknown, intent: Intent): GitHubFault {
  const why = `no answer from GitHub: ${reason(cause)}`;
  return neverSent(cause) ? { kind: "unavailable", message: why } : lost(intent, why);
}

/** The fault that `errors[]` of an answer with status 200 speaks of. The gravest one decides. */
export function graphqlFault(
  errors: readonly GraphqlError[],
  headers: Headers,
  intent: Intent,
  now: number,
): GitHubFault {
  const message = `${errors.map(inWords).join("; ")}${requestId(headers)}`;
  if (errors.some(isRateLimit)) {
    return { kind: "rate_limited", retryAfterMs: waitingTime(headers, now), message };
  }
  const denied = errors.find(({ type }) => type !== null && NO_ACCESS_TYPES.has(type));
  if (denied !== undefined) {
    return { kind: "no_access", status: denied.type === "NOT_FOUND" ? 404 : 403, message };
  }
  const refused = errors.find(
    ({ type, code }) => code !== null || (type !== null && REFUSED_TYPES.has(type)),
  );
  if (refused !== undefined) {
    const meaning = refusalMeaning(refused.message);
    return { kind: "refused", status: 200, type: refused.type, meaning, message };
  }
  return lost(intent, message);
}

export function isRateLimit(error: GraphqlError): boolean {
  if (error.type !== null) return RATE_LIMIT_TYPES.has(error.type);
  return saysSecondaryLimit(error.message);
}

/** Primary limit: until the reset, by GitHub's own clock. Secondary: as told, else a minute (github-facts 2.8). */
function waitingTime(headers: Headers, now: number): number {
  const retryAfter = whole(headers["retry-after"]);
  if (retryAfter !== null) return Math.max(retryAfter, 1) * 1000;
  const reset = whole(headers["x-ratelimit-reset"]);
  if (headers["x-ratelimit-remaining"]?.trim() === "0" && reset !== null) {
    const date = Date.parse(headers["date"] ?? "");
    return Math.max(reset * 1000 - (Number.isNaN(date) ? now : date), 1000);
  }
  return SECONDARY_WAIT_MS;
}

function limited(headers: Headers, text: string): boolean {
  return (
    headers["retry-after"] !== undefined ||
    headers["x-ratelimit-remaining"]?.trim() === "0" ||
    saysSecondaryLimit(text)
  );
}

function lost(intent: Intent, message: string): GitHubFault {
  return { kind: intent === "write" ? "uncertain" : "unavailable", message };
}

/** True only when the failure proves that no byte of the request left: the connection never came to be. */
export function neverSent(cause: unknown): boolean {
  return chain(cause).some((error) => {
    if (error instanceof AggregateError && error.errors.length > 0) {
      return error.errors.every((one) => neverSent(one));
    }
    const { code, syscall } = error as NodeJS.ErrnoException;
    return (
      syscall === "connect" ||
      syscall === "getaddrinfo" ||
      code === "UND_ERR_CONNECT_TIMEOUT" ||
      // A certificate is checked before the request is written.
      (code !== undefined &&
        /^(?:CERT_|ERR_TLS_CERT|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/.test(code))
    );
  });
}

function reason(cause: unknown): string {
  const errors = chain(cause);
  const timeout = errors.find(({ name }) => name === "TimeoutError");
  if (timeout !== undefined) return "it took too long";
  const deepest = errors.at(-1);
  if (deepest === undefined) return String(cause);
  const { code } = deepest as NodeJS.ErrnoException;
  const text = deepest.message === "" ? deepest.name : deepest.message;
  return code === undefined || text.includes(code) ? text : `${text} (${code})`;
}

/** The error and its causes, outermost first. */
function chain(error: unknown): readonly Error[] {
  const errors: Error[] = [];
  for (let one = error; one instanceof Error && errors.length < 8; one = one.cause)
    errors.push(one);
  return errors;
}

/** Names the read that failed, so that a message can say what to repair (A7.3). */
function inWords({ type, message, path }: GraphqlError): string {
  const at = path.length === 0 ? "" : ` at ${path.join(".")}`;
  return `${type ?? "error"}${at}: ${message}`;
}

function requestId(headers: Headers): string {
  const id = headers["x-github-request-id"];
  return id === undefined ? "" : ` (request ${id})`;
}
