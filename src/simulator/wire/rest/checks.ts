/** Check runs and check suites. */
import { z } from "zod";

import type { CheckRun, CheckSuite } from "../../world/model.js";
import { checkRunPayload, checkSuitePayload } from "../../world/payloads/check.js";
import { simpleCommit } from "../../world/payloads/commit.js";
import { seconds } from "../../world/payloads/links.js";
import { repositoryPayload } from "../../world/payloads/repository.js";
import { Refusal } from "../../world/refusal.js";
import { type Answer, json } from "../http/answer.js";
import { given, type RestCall } from "./call.js";
import { requireCommit } from "./commit-payloads.js";
import { counted, listed } from "./paging.js";
import { reading, writing } from "./repository-routes.js";

export const checkRoutes = [
  reading("/commits/{ref+}/check-runs", "checks", async (call) => {
    const { sha } = await requireCommit(call, call.param("ref"));
    const runs = filtered(call, call.world.checkRuns(call.repository, sha));
    return counted(call, "check_runs", runs, (run) => runPayload(call, run));
  }),
  reading("/commits/{ref+}/check-suites", "checks", async (call) => {
    const { sha } = await requireCommit(call, call.param("ref"));
    const appId = call.query.get("app_id");
    const suites = call.world
      .checkSuites(call.repository, sha)
      .filter((suite) => appId === null || suite.appId === Number(appId));
    return counted(call, "check_suites", suites, (suite) => suitePayload(call, suite));
  }),
  writing("POST", "/check-runs", "checks", create),
  reading("/check-runs/{check_run_id}", "checks", (call) =>
    json(200, runPayload(call, requireRun(call))),
  ),
  writing("PATCH", "/check-runs/{check_run_id}", "checks", update),
  reading("/check-runs/{check_run_id}/annotations", "checks", (call) =>
    listed(call, requireRun(call).annotations, (one) => ({
      path: one.path,
      blob_href: `${call.links.html}/blob/${requireRun(call).headSha}/${one.path}`,
      start_line: one.line,
      end_line: one.line,
      start_column: null,
      end_column: null,
      annotation_level: one.level,
      title: null,
      message: one.message,
      raw_details: null,
    })),
  ),
  reading("/check-suites/{check_suite_id}", "checks", async (call) =>
    json(200, await suitePayload(call, requireSuite(call))),
  ),
  reading("/check-suites/{check_suite_id}/check-runs", "checks", (call) => {
    const suite = requireSuite(call);
    const runs = call.world
      .checkRuns(call.repository, suite.headSha)
      .filter((run) => run.suiteId === suite.id);
    return counted(call, "check_runs", filtered(call, runs), (run) => runPayload(call, run));
  }),
];

/** `runs` come newest first; `filter=latest`, the default, keeps the newest of each name and App. */
function filtered({ query }: RestCall, runs: readonly CheckRun[]): CheckRun[] {
  const name = query.get("check_name");
  const status = query.get("status");
  const appId = query.get("app_id");
  const seen = new Set<string>();
  return runs.filter((run) => {
    const key = `${run.appId} ${run.name}`;
    const superseded = seen.has(key);
    seen.add(key);
    return (
      (query.get("filter") === "all" || !superseded) &&
      (name === null || name === run.name) &&
      (status === null || status === run.status) &&
      (appId === null || Number(appId) === run.appId)
    );
  });
}

/** REST tells when a run started only once it has; webhooks always carry a time. */
function runPayload(call: RestCall, run: CheckRun): Record<string, unknown> {
  const payload = checkRunPayload(call.world.insides, call.state, run);
  return {
    ...payload,
    started_at: seconds(run.startedAt),
    check_suite: { id: run.suiteId },
  };
}

async function suitePayload(call: RestCall, suite: CheckSuite): Promise<Record<string, unknown>> {
  const commit = await requireCommit(call, suite.headSha);
  const { insides } = call.world;
  return {
    ...checkSuitePayload(insides, call.state, suite, simpleCommit(commit)),
    repository: repositoryPayload(insides, call.repository),
  };
}

function requireRun(call: RestCall): CheckRun {
  const run = call.world.checkRun(call.repository, call.id("check_run_id"));
  if (run === null) throw new Refusal("NOT_FOUND", "Not Found");
  return run;
}

function requireSuite(call: RestCall): CheckSuite {
  const suite = call.world.checkSuite(call.repository, call.id("check_suite_id"));
  if (suite === null) throw new Refusal("NOT_FOUND", "Not Found");
  return suite;
}

const reported = z.object({
  name: z.string(),
  details_url: z.string().optional(),
  status: z.enum(["queued", "in_progress", "completed"]).optional(),
  conclusion: z
    .enum([
      "success",
      "failure",
      "neutral",
      "cancelled",
      "skipped",
      "timed_out",
      "action_required",
      "stale",
    ])
    .optional(),
  output: z
    .object({
      title: z.string().optional(),
      // Longer ones are refused (github-facts 2.4).
      summary: z.string().max(65_535).optional(),
      text: z.string().max(65_535).optional(),
      annotations: z
        .array(
          z.object({
            path: z.string(),
            start_line: z.int(),
            annotation_level: z.enum(["notice", "warning", "failure"]),
            message: z.string(),
          }),
        )
        .max(50)
        .optional(),
    })
    .optional(),
});

const edited = reported.partial();
type Reported = z.infer<typeof edited>;

function asked({ name, details_url, status, conclusion, output }: Reported) {
  const { title, summary, text, annotations } = output ?? {};
  return {
    ...given({ name, status, conclusion, detailsUrl: details_url }),
    ...(output === undefined ? {} : { output: given({ title, summary, text }) }),
    ...(annotations === undefined
      ? {}
      : {
          annotations: annotations.map(({ path, start_line, annotation_level, message }) => ({
            path,
            line: start_line,
            level: annotation_level,
            message,
          })),
        }),
  };
}

/** Checks belong to Apps: a person cannot make one. */
async function create(call: RestCall): Promise<Answer> {
  const input = await call.input(reported.extend({ head_sha: z.string() }));
  if (call.principal?.kind !== "installation")
    throw new Refusal("FORBIDDEN", "You must authenticate via a GitHub App.");
  const run = await call.world.createCheckRun(call.repository, {
    ...asked(input),
    name: input.name,
    headSha: input.head_sha,
    appId: call.principal.app.id,
  });
  return json(201, runPayload(call, run));
}

async function update(call: RestCall): Promise<Answer> {
  const input = await call.input(edited);
  const { appId, id } = requireRun(call);
  if (call.principal?.kind !== "installation" || call.principal.app.id !== appId)
    throw new Refusal("FORBIDDEN", "Invalid app_id - only the owning App may update a check run.");
  return json(
    200,
    runPayload(call, await call.world.updateCheckRun(call.repository, id, asked(input))),
  );
}
