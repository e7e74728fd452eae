/** The admin API `/_sim` (S9): JSON in, JSON out; its own requests are not in the request log. */
import { Refusal } from "../../world/refusal.js";
import { type Answer, json } from "../http/answer.js";
import { BadRequest, type Incoming } from "../http/incoming.js";
import { Router } from "../http/router.js";
import type { Services } from "../services.js";
import { AdminCall, InvalidInput } from "./route.js";
import { ADMIN_ROUTES } from "./routes.js";

const router = new Router(ADMIN_ROUTES);

export function isAdminPath(path: string): boolean {
  return path === "/_sim" || path.startsWith("/_sim/");
}

/** Success is 200 with what the operation answers, `{}` when that is nothing. */
export async function adminAnswer(services: Services, incoming: Incoming): Promise<Answer> {
  const { method, path } = incoming;
  const match = router.match(method, path);
  if (match === null) {
    const message = `The admin API has no ${method} ${path}; docs/simulator.md lists it.`;
    return failure(404, "no_such_operation", message);
  }
  try {
    const call = new AdminCall(services, incoming, match.params);
    return json(200, (await match.route.handle(call)) ?? {});
  } catch (error) {
    if (error instanceof Refusal)
      return failure(error.status, error.type.toLowerCase(), error.message);
    if (error instanceof InvalidInput || error instanceof BadRequest)
      return failure(400, "invalid_input", error.message);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return failure(500, "failed", message);
  }
}

function failure(status: number, code: string, message: string): Answer {
  return json(status, { error: { code, message } });
}
