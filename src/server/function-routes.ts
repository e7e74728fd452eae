/** `POST /api/functions/NAME` and the list of them: parse, dispatch, answer. */
import { Hono, type Context } from "hono";
import { SecretError } from "../config/secret.js";
import { refuse, type Refusal } from "../core/refusals.js";
import type { FunctionContext } from "../functions/context.js";
import { inputSchema, type Outcome } from "../functions/define.js";
import { Bug, bugRefusal, dispatch } from "../functions/dispatch.js";
import { functions } from "../functions/registry.js";
import { version } from "../functions/version.js";
import { refuseUnauthorized, type TokenSource } from "./bearer.js";
import { httpStatus } from "./http-status.js";
import type { Log } from "./log.js";
import type { Metrics } from "./metrics.js";
import { parseJson, readBody } from "./read-body.js";

const LARGEST_INPUT = 1024 * 1024;

export interface FunctionRouteOptions {
  readonly context: (session: string | null) => FunctionContext;
  readonly token: TokenSource;
  readonly metrics: Metrics;
  readonly log: Log;
}

export function functionRoutes(options: FunctionRouteOptions): Hono {
  const routes = new Hono();

  routes.use(async (request, next) => {
    const refusal = await unauthorized(request.req.header("authorization"), options);
    if (refusal === null) return next();
    if (refusal.code === "unauthorized") request.header("WWW-Authenticate", "Bearer");
    return refusedWith(request, [refusal]);
  });

  routes.get("/", (request) =>
    request.json({
      version,
      functions: functions.map((action) => ({
        name: action.name,
        since: action.since,
        summary: action.summary,
        effect: action.effect,
        input: inputSchema(action),
      })),
    }),
  );

  routes.post("/:name", async (request) => {
    const name = request.req.param("name");
    const body = await readBody(request.req.raw, LARGEST_INPUT);
    if (!body.read) {
      request.header("Connection", "close");
      return refusedWith(request, [invalid(`The input is larger than ${LARGEST_INPUT} bytes.`)]);
    }
    const input = body.bytes.length === 0 ? { value: {} } : parseJson(body.bytes);
    if (input === undefined) return refusedWith(request, [invalid("The input is not JSON.")]);
    const session = request.req.header("x-yoke-session")?.trim() ?? "";
    if (!/^[\x21-\x7e]{0,200}$/.test(session)) {
      return refusedWith(request, [invalid("X-Yoke-Session: expected one word.")]);
    }
    return answer(request, await run(name, input.value, session === "" ? null : session, request));
  });

  async function run(
    name: string,
    input: unknown,
    session: string | null,
    { req }: Context,
  ): Promise<Outcome> {
    try {
      const outcome = await dispatch(options.context(session), name, input, {
        clientVersion: req.header("x-yoke-version"),
        since: req.header("x-yoke-since"),
      });
      options.metrics.functionCalled(name, outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof Bug)) throw error;
      options.log.error({ err: error, report: error.reportId, function: name }, "bug");
      const refusal = bugRefusal(error.reportId);
      const outcome: Outcome = { ok: false, refusals: [refusal], exit: refusal.exit };
      options.metrics.functionCalled(name, outcome);
      return outcome;
    }
  }

  return routes;
}

/** A token that cannot be read lets nobody in. Its place is told to the log, and not to whoever asks. */
async function unauthorized(
  authorization: string | undefined,
  { token, log }: FunctionRouteOptions,
): Promise<Refusal | null> {
  try {
    return await refuseUnauthorized(authorization, token);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    log.error({ err: error }, "the bearer token cannot be read");
    return refuse("credential_missing", "The server cannot read its own bearer token.", {
      source: "YOKE_API_TOKEN_FILE",
    });
  }
}

function answer(request: Context, outcome: Outcome): Response {
  return outcome.ok ? request.json(outcome) : refusedWith(request, outcome.refusals);
}

export function refusedWith(request: Context, refusals: readonly Refusal[]): Response {
  const exit = refusals[0]?.exit ?? 1;
  return request.json({ ok: false, refusals, exit }, httpStatus(refusals));
}

function invalid(message: string): Refusal {
  return refuse("input_invalid", message);
}
