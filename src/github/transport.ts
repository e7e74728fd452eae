/**
 * One POST to GitHub's GraphQL endpoint. Reads and writes are sent exactly once: Octokit's retry plugin would send a
 * mutation four times on 502, and its throttling plugin treats each read as a write and knows only one spelling of
 * the rate limit (github-facts 5.4). Neither is used; the caller decides what to do again, and when.
 */
import { Octokit } from "@octokit/core";
import { z } from "zod";

import { redact, type Secret, SecretError } from "../config/secret.js";
import { type AnswerClock, createAnswerClock } from "./answer-clock.js";
import { type Credential, createTokenSource } from "./credential.js";
import {
  type GraphqlError,
  graphqlFault,
  type Headers,
  httpFault,
  type Intent,
  isRateLimit,
  networkFault,
  neverSent,
  OverloadError,
} from "./faults.js";
import { createLimitsGauge, type LimitsGauge } from "./limits.js";
import { type GitHubFault, GitHubError } from "./port.js";

/** The version all facts of this adapter were read in; without the header GitHub may answer in another (2.1). */
const API_VERSION = "2022-11-28";
const USER_AGENT = "yoke";

/** GitHub itself gives up after ten seconds (github-facts 1.8). */
const TIMEOUT_MS = 10_000;

export interface TransportOptions {
  /** `https://api.github.com`, or `https://HOST/api/v3` of an Enterprise Server. */
  readonly apiUrl: string;
  readonly credential: Credential;
  readonly fetch?: typeof fetch;
  /** Local clock, milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds after which a request is given up. */
  readonly timeoutMs?: number;
}

/** An answer with status 200. `errors` are what GitHub could not tell; the caller judges them by their path. */
export interface Answer {
  readonly data: unknown;
  readonly errors: readonly GraphqlError[];
  readonly readAt: string;
  readonly headers: Headers;
}

export interface Transport {
  /** Raises `GitHubError`: for lost and refused requests, and for any rate limit. */
  ask(
    document: string,
    variables: Readonly<Record<string, unknown>>,
    intent: Intent,
  ): Promise<Answer>;
  /** One REST request; `path` begins with a slash. Raises `GitHubError` like `ask`. */
  rest(method: "GET" | "POST", path: string): Promise<unknown>;
  /** Makes the error for `errors` of `answer`, with secrets taken out of its text. */
  errorOf(answer: Answer, errors: readonly GraphqlError[], intent: Intent): GitHubError;
  /** The token of the next request. Raises `GitHubError`: nothing was asked of the API proper. */
  token(): Promise<Secret>;
  readonly limits: LimitsGauge;
}

/** GraphQL lives beside REST: `/graphql`, or `/api/graphql` where REST is under `/api/v3`. */
export function graphqlUrl(apiUrl: string): string {
  const base = withoutSlash(apiUrl);
  return base.endsWith("/api/v3") ? `${base.slice(0, -"/v3".length)}/graphql` : `${base}/graphql`;
}

export function createTransport(options: TransportOptions): Transport {
  const now = options.now ?? Date.now;
  const clock: AnswerClock = createAnswerClock(now);
  const limits = createLimitsGauge();
  const octokit = quietOctokit(options);
  const tokens = createTokenSource(options.credential, octokit, now);
  const url = graphqlUrl(options.apiUrl);

  const fail = (fault: GitHubFault, overloaded = false): GitHubError => {
    const safe = { ...fault, message: redact(fault.message, tokens.secrets()) };
    // No cause is kept: those of the HTTP client carry the request with its headers.
    return overloaded ? new OverloadError(safe) : new GitHubError(safe);
  };

  /** Getting a token comes before the request, so its failure leaves nothing uncertain. */
  const token = async () => {
    try {
      return await tokens.token();
    } catch (error) {
      throw fail(tokenFault(error, now()));
    }
  };

  const send = async ({ method, url, body }: Outgoing, authorization: string, intent: Intent) => {
    const stamp = clock.sending();
    const data = body === null ? {} : { data: body };
    const request = { method, url, ...data, headers: { authorization } };
    const answer = await octokit.request(request).then(
      (response) => httpAnswer.parse(response),
      (error: unknown) => {
        const response = responseOf(error);
        if (response !== null) return response;
        throw fail(networkFault(error, intent), !neverSent(error));
      },
    );
    limits.seenHeaders(answer.headers);
    return { ...answer, readAt: clock.readAt(stamp, answer.headers["date"]) };
  };

  /** An answer below 300, with the token renewed where that is safe. */
  const exchange = async (outgoing: Outgoing, intent: Intent) => {
    const first = await token();
    let answer = await send(outgoing, `Bearer ${first.token.reveal()}`, intent);
    if (answer.status === 401) {
      tokens.refused(first.token);
      // A read may be asked once more with a new installation token; a write is sent once, whatever happens.
      if (intent === "read" && !first.fresh) {
        const second = await token();
        answer = await send(outgoing, `Bearer ${second.token.reveal()}`, intent);
      }
    }
    const { status, headers, data } = answer;
    if (status >= 300) {
      throw fail(httpFault(status, headers, textOf(data), intent, now()), status >= 500);
    }
    return answer;
  };

  return {
    token: async () => (await token()).token,
    limits,
    async rest(method, path) {
      const outgoing = { method, url: `${withoutSlash(options.apiUrl)}${path}`, body: null };
      return (await exchange(outgoing, method === "GET" ? "read" : "write")).data;
    },
    errorOf: (answer, errors, intent) => {
      const fault = graphqlFault(errors, answer.headers, intent, now());
      return fail(fault, fault.kind === "unavailable");
    },
    async ask(document, variables, intent) {
      const body = JSON.stringify({ query: document, variables });
      const answer = await exchange({ method: "POST", url, body }, intent);
      const { headers, readAt } = answer;
      const parsed = envelope.safeParse(answer.data);
      if (!parsed.success) {
        throw fail(networkFault(new Error("it broke off"), intent), true);
      }
      const { data = null, errors } = parsed.data;
      if (errors.some(isRateLimit)) throw fail(graphqlFault(errors, headers, intent, now()));
      const cost = costOf.safeParse(data);
      if (cost.success) limits.seenCost(cost.data.rateLimit.cost);
      return { data, errors, readAt, headers };
    },
  };
}

interface Outgoing {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** Null: none. */
  readonly body: string | null;
}

const envelope = z
  .object({
    data: z.unknown().optional(),
    errors: z
      .array(
        z
          .object({
            type: z.string().nullish(),
            message: z.string().catch("no message"),
            path: z.array(z.union([z.string(), z.number()])).nullish(),
            extensions: z.object({ code: z.string().optional().catch(undefined) }).nullish(),
          })
          .transform(({ type, message, path, extensions }): GraphqlError => ({
            type: type ?? null,
            message,
            path: path ?? [],
            code: extensions?.code ?? null,
          })),
      )
      .optional()
      .transform((errors) => errors ?? []),
  })
  .refine(({ data, errors }) => data !== undefined || errors.length > 0);

const costOf = z.object({ rateLimit: z.object({ cost: z.number() }) });

/** Octokit without plugins and without authentication of its own, so that nothing is sent behind our back. */
function quietOctokit(options: TransportOptions): Octokit {
  const octokit = new Octokit({
    baseUrl: withoutSlash(options.apiUrl),
    userAgent: USER_AGENT,
    // Octokit would print to the console, past the log and its redaction.
    log: { debug() {}, info() {}, warn() {}, error() {} },
    request: {
      // A redirect would send a write to a place nobody configured.
      redirect: "manual",
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    },
  });
  octokit.hook.before("request", (request) => {
    request.headers["x-github-api-version"] = API_VERSION;
    request.request = {
      ...request.request,
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    };
  });
  return octokit;
}

const httpAnswer = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.coerce.string()),
  data: z.unknown(),
});

/** Octokit raises one error class for answers of 400 and more and for lost requests; only the former have a response. */
function responseOf(error: unknown): z.infer<typeof httpAnswer> | null {
  const parsed = z.object({ response: httpAnswer }).safeParse(error);
  return parsed.success ? parsed.data.response : null;
}

function tokenFault(error: unknown, now: number): GitHubFault {
  const response = responseOf(error);
  if (response !== null) {
    const text = `no installation token: ${textOf(response.data)}`;
    return httpFault(response.status, response.headers, text, "read", now);
  }
  if (error instanceof SecretError) {
    return { kind: "no_access", status: 401, message: error.message };
  }
  if (error instanceof Error && "request" in error) return networkFault(error, "read");
  return { kind: "no_access", status: 401, message: "the App's private key cannot be used" };
}

/** The message of an error body, in one line; a page of HTML is only named. */
function textOf(data: unknown): string {
  const body = z.object({ message: z.string() }).safeParse(data);
  if (body.success) return body.data.message.slice(0, 500);
  if (typeof data === "string" && data !== "" && !/^\s*</.test(data))
    return data.trim().slice(0, 200);
  return "no message";
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
