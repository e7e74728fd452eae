/** Workflow runs and their jobs, as GitHub's REST lists them (A8.2, A16.5). */
import { z } from "zod";

import type { Job, WorkflowRun } from "../core/recovery/evidence.js";
import { cancelWords } from "./cancel-texts.js";
import { PASSED, runUrl } from "./checks.js";
import { GitHubError, type RepositoryRef } from "./port.js";
import type { Transport } from "./transport.js";

/** Pages of 100 that are read of one REST list. */
const MOST_PAGES = 10;

const runShape = z.object({
  id: z.int(),
  name: z.string().nullish(),
  workflow_id: z.int(),
  run_number: z.int(),
  run_attempt: z.int().nullish(),
  status: z.string().nullable(),
  conclusion: z.string().nullable(),
  event: z.string(),
  head_branch: z.string().nullable(),
  head_sha: z.string(),
  created_at: z.string(),
  html_url: z.string().nullish(),
});
const jobShape = z.object({
  run_attempt: z.int().nullish(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  completed_at: z.string().nullable(),
  runner_name: z.string().nullish(),
  check_run_url: z.string(),
});
const annotationsShape = z.array(z.object({ message: z.string().nullable() }));

/** The runs that `query` finds (`head_sha`, `branch`); `repositoryUrl` makes the page of one that names none (A9.4). */
export async function readRuns(
  transport: Transport,
  repository: RepositoryRef,
  repositoryUrl: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly WorkflowRun[]> {
  const path = `/actions/runs?${new URLSearchParams(query).toString()}`;
  const runs = await restOf(transport, repository).list(path, "workflow_runs", runShape);
  return runs.map((run) => workflowRun(repositoryUrl, run));
}

/** The jobs of every attempt of a run, with what GitHub says of the cancelled ones among `names`. */
export async function readJobs(
  transport: Transport,
  repository: RepositoryRef,
  run: number,
  names: ReadonlySet<string>,
): Promise<readonly Job[]> {
  const rest = restOf(transport, repository);
  const jobs: Job[] = [];
  for (const job of await rest.list(`/actions/runs/${run}/jobs?filter=all`, "jobs", jobShape)) {
    const ask = stateOf(job.status, job.conclusion) === "cancelled" && names.has(job.name);
    jobs.push(jobOf(run, job, ask ? await rest.annotations(job.check_run_url) : []));
  }
  return jobs;
}

/** GitHub's statuses and conclusions, which REST writes in lower case, as what a rerun turns on. */
export function stateOf(status: string | null, conclusion: string | null): WorkflowRun["state"] {
  if (status === "in_progress") return "in_progress";
  if (status !== "completed" || conclusion === null) return "queued";
  if (PASSED.has(conclusion.toUpperCase())) return "passed";
  return ["cancelled", "startup_failure", "stale"].includes(conclusion) ? "cancelled" : "failed";
}

function workflowRun(repositoryUrl: string, run: z.infer<typeof runShape>): WorkflowRun {
  return {
    id: run.id,
    workflow: { id: run.workflow_id, name: run.name ?? `workflow ${run.workflow_id}` },
    number: run.run_number,
    attempt: run.run_attempt ?? 1,
    state: stateOf(run.status, run.conclusion),
    event: run.event,
    branch: run.head_branch,
    head: run.head_sha,
    createdAt: run.created_at,
    url: run.html_url ?? runUrl(repositoryUrl, run.id),
  };
}

function jobOf(run: number, job: z.infer<typeof jobShape>, annotations: readonly string[]): Job {
  return {
    run,
    attempt: job.run_attempt ?? 1,
    name: job.name,
    state: stateOf(job.status, job.conclusion),
    started: (job.runner_name ?? "") !== "",
    endedAt: job.completed_at,
    says: cancelWords(annotations),
  };
}

function restOf(transport: Transport, { owner, name }: RepositoryRef) {
  const base = `/repos/${owner}/${name}`;
  const understood = <T>(shape: z.ZodType<T>, answer: unknown, path: string): T => {
    const parsed = shape.safeParse(answer);
    if (parsed.success) return parsed.data;
    const message = `GitHub's answer to ${path} was not understood`;
    throw new GitHubError({ kind: "unavailable", message });
  };
  return {
    /** All pages of a list. */
    async list<T>(path: string, field: string, shape: z.ZodType<T>): Promise<readonly T[]> {
      const found: T[] = [];
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const answer = await transport.rest("GET", `${base}${path}&per_page=100&page=${page}`);
        const counted = z.object({ total_count: z.int(), [field]: z.array(shape) });
        const data = understood(counted, answer, path) as Record<string, unknown>;
        found.push(...(data[field] as T[]));
        if (found.length >= (data["total_count"] as number)) return found;
      }
      const message = `${path} has more than ${MOST_PAGES * 100} entries`;
      throw new GitHubError({ kind: "unavailable", message });
    },
    /** `checkRunUrl` as GitHub gives it: only its id is used, so that nothing else is asked. */
    async annotations(checkRunUrl: string): Promise<readonly string[]> {
      const id = /\/check-runs\/(\d+)$/.exec(checkRunUrl)?.[1];
      if (id === undefined) return [];
      const path = `/check-runs/${id}/annotations`;
      const answer = await transport.rest("GET", `${base}${path}?per_page=50`);
      return understood(annotationsShape, answer, path).flatMap(({ message }) => message ?? []);
    },
  };
}
