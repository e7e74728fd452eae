/** The HTTP surface: functions, webhooks, the board, health and metrics. */
import { Hono, type Context } from "hono";
import type { FunctionContext } from "../functions/context.js";
import { Bug, bugRefusal, dispatch } from "../functions/dispatch.js";
import { version } from "../functions/version.js";
import type { TokenSource } from "./bearer.js";
import { boardPage, boardPolicy } from "./board-page.js";
import { functionRoutes, refusedWith } from "./function-routes.js";
import type { Intake } from "./intake.js";
import type { Log } from "./log.js";
import type { Metrics } from "./metrics.js";
import { webhookRoutes, type DeliveryReader } from "./webhook-routes.js";

export interface AppOptions {
  /** What functions run with; the session is the caller's `X-Yoke-Session`. */
  readonly context: (session: string | null) => FunctionContext;
  readonly token: TokenSource;
  readonly reader: DeliveryReader;
  readonly intake: Intake;
  readonly metrics: Metrics;
  readonly log: Log;
}

/**
 * Routes: `POST /api/functions/NAME`, `GET /api/functions` (both with the bearer token), `POST /webhooks/github/CONNECTION`
 * (signed), and, open to whoever reaches the port, `GET /`, `/board.json`, `/healthz`, `/metrics`.
 */
export function createApp(options: AppOptions): Hono {
  const { context, metrics, log } = options;
  const person = () => context(null);
  const app = new Hono();

  app.use(async (request, next) => {
    await next();
    request.header("X-Content-Type-Options", "nosniff");
    request.header("X-Yoke-Version", version);
  });

  app.route("/api/functions", functionRoutes(options));
  app.route("/webhooks/github", webhookRoutes({ ...options, context: person }));

  app.get("/healthz", (request) => request.json({ ok: true, version }));
  app.get("/metrics", async (request) =>
    request.text(await metrics.text(person()), 200, { "Content-Type": metrics.contentType }),
  );
  app.get("/", (request) =>
    request.html(boardPage, 200, {
      "Content-Security-Policy": boardPolicy,
      "Referrer-Policy": "no-referrer",
    }),
  );
  app.get("/board.json", async (request) => {
    request.header("Cache-Control", "no-store");
    const outcome = await dispatch(person(), "status.board", {});
    return outcome.ok
      ? request.json(outcome.output as object)
      : refusedWith(request, outcome.refusals);
  });

  app.onError((error, request) => bug(error, request));

  function bug(error: Error, request: Context): Response {
    const report = error instanceof Bug ? error.reportId : person().newId();
    log.error({ err: error, report, path: request.req.path }, "bug");
    return refusedWith(request, [bugRefusal(report)]);
  }

  return app;
}
