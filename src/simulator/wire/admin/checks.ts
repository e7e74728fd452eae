/** Checks and statuses, reported in the name of any App or person. */
import { z } from "zod";

import { ACTIONS_APP_ID } from "../../world/options.js";
import { type AdminCall, given, route } from "./route.js";
import { actor, annotation } from "./shapes.js";

const ONE = "/repositories/{owner}/{repo}";

const conclusion = z.enum([
  "success",
  "failure",
  "neutral",
  "cancelled",
  "skipped",
  "timed_out",
  "action_required",
  "startup_failure",
  "stale",
]);

const report = {
  status: z.enum(["queued", "in_progress", "completed"]).exactOptional(),
  conclusion: conclusion.exactOptional(),
  detailsUrl: z.string().exactOptional(),
  output: z
    .strictObject({
      title: z.string().exactOptional(),
      summary: z.string().exactOptional(),
      text: z.string().exactOptional(),
    })
    .exactOptional(),
  annotations: z.array(annotation).exactOptional(),
};

export const checkRoutes = [
  route("GET", `${ONE}/checks/{sha}`, (call) => reportsOn(call)),
  route("POST", `${ONE}/check-runs`, async (call) => {
    const shape = z.strictObject({
      name: z.string(),
      headSha: z.string(),
      appId: z.int().default(ACTIONS_APP_ID),
      ...report,
    });
    return call.world.createCheckRun(call.repository, await call.input(shape));
  }),
  route("PATCH", `${ONE}/check-runs/{id}`, async (call) => {
    const shape = z.strictObject({ name: z.string().exactOptional(), ...report });
    return call.world.updateCheckRun(call.repository, call.id("id"), await call.input(shape));
  }),
  route("POST", `${ONE}/statuses`, async (call) => {
    const shape = z.strictObject({
      sha: z.string(),
      context: z.string().optional(),
      state: z.enum(["error", "failure", "pending", "success"]),
      description: z.string().optional(),
      targetUrl: z.string().optional(),
      appId: z.int().optional(),
      actor,
    });
    const { actor: login, sha, state, ...asked } = await call.input(shape);
    return call.world.createStatus(call.repository, {
      sha,
      state,
      ...given(asked),
      creator: call.actor(login),
    });
  }),
];

/** Newest first. */
function reportsOn(call: AdminCall) {
  const { world, repository } = call;
  const sha = call.param("sha");
  return {
    checkRuns: world.checkRuns(repository, sha),
    checkSuites: world.checkSuites(repository, sha),
    statuses: world.statuses(repository, sha),
  };
}
