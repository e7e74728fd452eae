/** Scripted workflows, their runs, and jobs that wait for a word (S5). */
import { z } from "zod";

import type { HeldJob } from "../../world/jobs.js";
import { type AdminCall, route } from "./route.js";
import { actor, annotation, outcome } from "./shapes.js";

const ONE = "/repositories/{owner}/{repo}";
const conclusion = z.enum(["pass", "fail", "cancel"]);

const script = z.strictObject({
  name: z.string(),
  path: z.string(),
  on: z.array(z.enum(["pull_request", "merge_group", "push", "workflow_dispatch"])),
  branches: z.array(z.string()).exactOptional(),
  concurrency: z.union([z.literal("branch"), z.strictObject({ key: z.string() })]).exactOptional(),
  jobs: z.array(
    z.strictObject({
      name: z.string(),
      outcome,
      duration: z.int().min(0).default(0),
      onMergeGroup: outcome.exactOptional(),
      annotations: z.array(annotation).exactOptional(),
    }),
  ),
});

export const actionRoutes = [
  route("GET", `${ONE}/workflows`, (call) => call.world.workflows(call.repository)),
  route("PUT", `${ONE}/workflows`, async (call) =>
    call.world.setWorkflows(call.repository, await call.input(z.array(script))),
  ),
  route("POST", `${ONE}/workflow-dispatches`, async (call) => {
    const shape = z.strictObject({ workflow: z.string(), ref: z.string(), actor });
    const { actor: login, ...asked } = await call.input(shape);
    return call.world.dispatchWorkflow(call.repository, { ...asked, actor: call.actor(login) });
  }),
  route("GET", `${ONE}/runs`, (call) => {
    const sha = call.query("headSha");
    return call.world
      .workflowRuns(call.repository)
      .filter((run) => sha === null || run.headSha === sha);
  }),
  route("POST", `${ONE}/runs/{id}/rerun`, async (call) => {
    const shape = z.strictObject({
      jobs: z.union([z.enum(["all", "failed"]), z.strictObject({ jobId: z.int() })]).default("all"),
    });
    const { jobs } = await call.input(shape);
    return call.world.rerun(call.repository, call.id("id"), jobs);
  }),
  route("POST", `${ONE}/runs/{id}/cancel`, async (call) => {
    const { actor: login } = await call.input(z.strictObject({ actor }));
    return call.world.cancelRun(call.repository, call.id("id"), call.actor(login));
  }),

  route("GET", "/held-jobs", (call) => held(call, filterOf(call)).map(shown)),
  route("POST", "/held-jobs/release", async (call) => {
    const shape = z.strictObject({
      repository: z.string().optional(),
      headSha: z.string().optional(),
      name: z.string().optional(),
      conclusion,
    });
    const { conclusion: how, ...which } = await call.input(shape);
    const jobs = held(call, which);
    // One by one: what one of them sets off may end another.
    for (const { job } of jobs)
      if (job.status !== "completed") await call.world.releaseJob(job.id, how);
    return jobs.map(shown);
  }),
  route("POST", "/held-jobs/{id}/release", async (call) => {
    const { conclusion: how } = await call.input(z.strictObject({ conclusion }));
    return call.world.releaseJob(call.id("id"), how);
  }),
];

interface Which {
  readonly repository?: string | undefined;
  readonly headSha?: string | undefined;
  readonly name?: string | undefined;
}

function filterOf(call: AdminCall): Which {
  return {
    repository: call.query("repository") ?? undefined,
    headSha: call.query("headSha") ?? undefined,
    name: call.query("name") ?? undefined,
  };
}

function held(call: AdminCall, { repository, headSha, name }: Which): HeldJob[] {
  const inside = repository === undefined ? undefined : call.repositoryNamed(repository);
  return call.world
    .heldJobs(inside)
    .filter(
      ({ run, job }) =>
        (headSha === undefined || run.headSha === headSha) &&
        (name === undefined || job.name === name),
    );
}

function shown({ repository, run, job }: HeldJob) {
  return {
    repository: `${repository.owner}/${repository.name}`,
    event: run.event,
    headSha: run.headSha,
    headBranch: run.headBranch,
    ...job,
  };
}
