/**
 * The door for GitHub's deliveries (B5.1, B5.3). Whatever is not signed by the connection's own secret, or speaks of
 * another repository, is turned away without a write. What is let in is recorded, answered, and handled afterwards.
 */
import { Hono, type Context } from "hono";
import { readSecret, SecretError, type Secret } from "../config/secret.js";
import type { Project } from "../core/records.js";
import { refuse, type Refusal } from "../core/refusals.js";
import type { FunctionContext } from "../functions/context.js";
import { projectOfConnection, recordDelivery } from "../functions/deliveries.js";
import { outsideRefusal } from "../functions/faults.js";
import type { Intake } from "./intake.js";
import type { Log } from "./log.js";
import type { DeliveryResult, Metrics } from "./metrics.js";
import { parseJson, readBody } from "./read-body.js";

/** GitHub sends no larger payload. */
const LARGEST_PAYLOAD = 25 * 1024 * 1024;

/** The GitHub adapter's side of a delivery; the server knows its shape only. */
export interface DeliveryReader {
  verifySignature(delivery: {
    readonly body: Buffer;
    readonly signature: string | null;
    readonly secret: Secret;
  }): boolean;
  readDelivery(
    event: string,
    payload: unknown,
  ): {
    readonly repositoryId: number | null;
    readonly pullRequests: readonly number[];
    readonly urgent: boolean;
    readonly reason: string;
  };
}

export interface WebhookRouteOptions {
  readonly context: () => FunctionContext;
  readonly reader: DeliveryReader;
  readonly intake: Intake;
  readonly metrics: Metrics;
  readonly log: Log;
}

type RefusedStatus = 400 | 401 | 404 | 413 | 422 | 503;

export function webhookRoutes(options: WebhookRouteOptions): Hono {
  const { context, reader, intake, metrics, log } = options;
  const routes = new Hono();

  const refused = (
    request: Context,
    result: DeliveryResult,
    status: RefusedStatus,
    why: Refusal,
  ) => {
    metrics.delivery(result);
    log.info({ connection: request.req.param("connection"), result }, "delivery refused");
    return request.json({ ok: false, refusals: [why], exit: why.exit }, status);
  };

  routes.post("/:connection", async (request) => {
    try {
      return await receive(request, request.req.param("connection"));
    } catch (error) {
      const refusal = outsideRefusal(error);
      if (refusal === null) throw error;
      // GitHub shows it as failed, and it can be redelivered; upkeep reads what it spoke of anyway.
      return refused(request, "unavailable", 503, refusal);
    }
  });

  async function receive(request: Context, connection: string): Promise<Response> {
    const guid = request.req.header("x-github-delivery");
    const event = request.req.header("x-github-event");
    const signature = request.req.header("x-hub-signature-256");
    const missing = [
      ["X-GitHub-Delivery", guid],
      ["X-GitHub-Event", event],
      ["X-Hub-Signature-256", signature],
    ].flatMap(([name, value]) => (value === undefined ? [String(name)] : []));
    if (guid === undefined || event === undefined || signature === undefined) {
      return refused(request, "malformed", 400, no(`The request lacks ${missing.join(", ")}.`));
    }
    const project = await projectOfConnection(context(), connection);
    if (project === null) {
      return refused(request, "unknown_connection", 404, no("No project has this connection."));
    }
    const secret = await secretOf(project);
    if (secret === null) {
      const why = "The project has no readable webhook secret, so no delivery can be believed.";
      return refused(request, "unsigned", 401, no(why, project));
    }
    const body = await readBody(request.req.raw, LARGEST_PAYLOAD);
    if (!body.read) {
      request.header("Connection", "close");
      return refused(request, "too_large", 413, no("The body is larger than 25 MB.", project));
    }
    if (!reader.verifySignature({ body: body.bytes, signature, secret })) {
      const why = "The signature is not that of this body under the connection's secret.";
      return refused(request, "bad_signature", 401, no(why, project));
    }
    const payload = parseJson(body.bytes);
    if (payload === undefined) {
      const why = "The body is not JSON: set the webhook's content type to application/json.";
      return refused(request, "malformed", 400, no(why, project));
    }
    const delivery = reader.readDelivery(event, payload.value);
    if (delivery.repositoryId !== project.repositoryId) {
      if (event === "ping" && delivery.repositoryId === null) {
        metrics.delivery("ping");
        return request.json({ ok: true, accepted: false });
      }
      const said = delivery.repositoryId ?? "none";
      const why = `The delivery is about repository ${said}, not ${project.repositoryId}.`;
      return refused(request, "other_repository", 422, no(why, project));
    }
    const action = delivery.reason.startsWith(`${event}.`)
      ? delivery.reason.slice(event.length + 1)
      : null;
    const received = { guid, connection, event, action };
    const { fresh } = await recordDelivery(context(), received);
    metrics.delivery(fresh ? "accepted" : "repeated");
    if (fresh) {
      const { pullRequests, urgent } = delivery;
      intake.accept({ ...received, project: project.key, pullRequests, urgent });
    }
    return request.json({ ok: true, accepted: fresh }, 202);
  }

  return routes;
}

async function secretOf(project: Project): Promise<Secret | null> {
  if (project.webhookSecret === null) return null;
  try {
    return await readSecret(project.webhookSecret);
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}

function no(message: string, project?: Project): Refusal {
  return refuse(
    "webhook_refused",
    `${message} Nothing was done.`,
    project === undefined ? {} : { project: project.key },
  );
}
