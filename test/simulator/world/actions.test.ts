import { describe, expect, it } from "vitest";

import type { JobScript } from "../../../src/simulator/world/model.js";
import {
  aWorld,
  enqueued,
  entryOf,
  finish,
  groupOf,
  names,
  openPullRequest,
  type AWorld,
} from "./a-world.js";

const job = (name: string, outcome: JobScript["outcome"], duration = 0): JobScript => ({
  name,
  outcome,
  duration,
});

const newestRun = (at: AWorld) => {
  const [run] = at.world.workflowRuns(at.repository);
  if (run === undefined) throw new Error("no run");
  return run;
};

describe("scripted outcomes", () => {
  it("S5 pass, fail, cancel and instant conclude by themselves, after their time", async () => {
    const at = await aWorld({
      checks: [],
      jobs: [
        job("passes", "pass", 1000),
        job("fails", "fail", 2000),
        job("cancels", "cancel", 3000),
        job("at once", "instant"),
      ],
    });
    const { headSha } = await openPullRequest(at, "one");
    const seen = () =>
      Object.fromEntries(
        at.world.checkRuns(at.repository, headSha).map((run) => [run.name, run.conclusion]),
      );
    expect(seen()).toEqual({ passes: null, fails: null, cancels: null, "at once": "success" });
    expect(newestRun(at).status).toBe("in_progress");
    await at.world.advance(1000);
    expect(seen()).toMatchObject({ passes: "success", fails: null });
    await at.world.advance(2000);
    expect(seen()).toMatchObject({ fails: "failure", cancels: "cancelled" });
    expect(newestRun(at)).toMatchObject({ status: "completed", conclusion: "failure" });
    expect(at.world.checkRuns(at.repository, headSha).every((run) => run.appId === 15368)).toBe(
      true,
    );
  });

  it("S5 never stays queued, hold runs until released", async () => {
    const at = await aWorld({ checks: [], jobs: [job("waits", "hold"), job("starves", "never")] });
    const { headSha } = await openPullRequest(at, "one");
    await at.world.advance(86_400_000);
    const status = () =>
      Object.fromEntries(newestRun(at).jobs.map((one) => [one.name, one.status]));
    expect(status()).toEqual({ waits: "in_progress", starves: "queued" });
    expect(at.world.busy()).toEqual([]);
    await finish(at, headSha);
    expect(newestRun(at)).toMatchObject({ status: "completed", conclusion: "success" });
    await expect(at.world.releaseJob(newestRun(at).jobs[0]?.id ?? 0, "pass")).rejects.toMatchObject(
      {
        status: 409,
      },
    );
  });

  it("S5 flaky fails its first n attempts, then passes", async () => {
    const at = await aWorld({ checks: [], jobs: [job("ci", { flaky: 2 })] });
    await openPullRequest(at, "one");
    const run = newestRun(at);
    expect([run.attempt, run.conclusion]).toEqual([1, "failure"]);
    await at.world.rerun(at.repository, run.id, "failed");
    expect([run.attempt, run.conclusion]).toEqual([2, "failure"]);
    await at.world.rerun(at.repository, run.id, "all");
    expect([run.attempt, run.conclusion]).toEqual([3, "success"]);
    expect(run.jobs.map(({ attempt, conclusion }) => [attempt, conclusion])).toEqual([
      [1, "failure"],
      [2, "failure"],
      [3, "success"],
    ]);
  });

  it("S5 a job may end otherwise on groups, with annotations", async () => {
    const annotation = { level: "failure" as const, message: "broken", path: "a.ts", line: 3 };
    const at = await aWorld({
      jobs: [{ ...job("ci", "pass"), onMergeGroup: "fail", annotations: [annotation] }],
    });
    const pullRequest = await openPullRequest(at, "one");
    await at.world.enqueue(at.repository, pullRequest.number, { actor: at.user });
    expect(entryOf(at, pullRequest)).toBeNull();
    const run = newestRun(at);
    expect(run).toMatchObject({ event: "merge_group", conclusion: "failure" });
    expect(run.headBranch).toMatch(/^gh-readonly-queue\/main\/pr-1-/);
    expect(at.world.checkRuns(at.repository, run.headSha)[0]?.annotations).toEqual([annotation]);
  });
});

describe("reruns, cancellation, dispatch", () => {
  it("S5 rerun-failed runs the failed jobs only, in the same suite, and carries the others over", async () => {
    const at = await aWorld({ checks: [], jobs: [job("good", "pass"), job("bad", { flaky: 1 })] });
    const { headSha } = await openPullRequest(at, "one");
    const run = newestRun(at);
    await at.world.rerun(at.repository, run.id, "failed");
    expect(run).toMatchObject({ attempt: 2, conclusion: "success" });
    const checks = at.world.checkRuns(at.repository, headSha).map(({ name }) => name);
    expect(checks.filter((name) => name === "bad")).toHaveLength(2);
    expect(checks.filter((name) => name === "good")).toHaveLength(1);
    expect(at.world.checkSuites(at.repository, headSha)).toHaveLength(1);
  });

  it("S5 a rerun of a running run is refused", async () => {
    const at = await aWorld();
    await openPullRequest(at, "one");
    await expect(at.world.rerun(at.repository, newestRun(at).id, "all")).rejects.toMatchObject({
      status: 403,
    });
  });

  it("S4 a rerun after ejection does not bring the entry back (quirk 29)", async () => {
    const at = await aWorld({ jobs: [{ ...job("ci", "pass"), onMergeGroup: { flaky: 1 } }] });
    const pullRequest = await openPullRequest(at, "one");
    await at.world.enqueue(at.repository, pullRequest.number, { actor: at.user });
    const run = newestRun(at);
    await at.world.rerun(at.repository, run.id, "failed");
    expect(run.conclusion).toBe("success");
    expect(entryOf(at, pullRequest)).toBeNull();
    expect(pullRequest.state).toBe("OPEN");
  });

  it("S5 cancel ends running jobs as cancelled, and is refused afterwards", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    const run = newestRun(at);
    await at.world.cancelRun(at.repository, run.id, at.user);
    expect(run.conclusion).toBe("cancelled");
    const [check] = at.world.checkRuns(at.repository, run.headSha);
    expect(check?.annotations.map(({ message }) => message)).toEqual([
      `The run was canceled by @${at.user.login}.`,
    ]);
    expect(entryOf(at, pullRequest)).toBeNull();
    await expect(at.world.cancelRun(at.repository, run.id)).rejects.toMatchObject({ status: 409 });
  });

  it("S5 workflow_dispatch starts a run where the workflow allows it", async () => {
    const at = await aWorld();
    const ask = { workflow: "release.yml", ref: "main", actor: at.user };
    const script = {
      name: "Release",
      path: ".github/workflows/release.yml",
      jobs: [job("r", "pass")],
    };
    await at.world.setWorkflows(at.repository, [{ ...script, on: ["push"] }]);
    await expect(at.world.dispatchWorkflow(at.repository, ask)).rejects.toThrow(
      /workflow_dispatch/,
    );
    await at.world.setWorkflows(at.repository, [{ ...script, on: ["workflow_dispatch"] }]);
    const run = await at.world.dispatchWorkflow(at.repository, ask);
    expect(run).toMatchObject({ event: "workflow_dispatch", status: "completed", runNumber: 1 });
    await expect(
      at.world.dispatchWorkflow(at.repository, { ...ask, ref: "nowhere" }),
    ).rejects.toMatchObject({ type: "UNPROCESSABLE" });
  });

  it("S5 push workflows start on the branches they name", async () => {
    const at = await aWorld();
    await at.world.setWorkflows(at.repository, [
      {
        name: "P",
        path: "p.yml",
        on: ["push"],
        branches: ["main", "gh-readonly-queue/**"],
        jobs: [job("p", "pass")],
      },
    ]);
    const commit = (branch: string) =>
      at.world.commitFiles(at.repository, { branch, files: { "p.txt": branch }, message: "P" });
    await commit("elsewhere");
    expect(at.world.workflowRuns(at.repository)).toEqual([]);
    await commit("main");
    expect(newestRun(at)).toMatchObject({ event: "push", headBranch: "main" });
  });

  it("case A17 one constant concurrency group cancels all but the newest run", async () => {
    const at = await aWorld();
    await at.world.setWorkflows(at.repository, [
      {
        name: "CI",
        path: ".github/workflows/ci.yml",
        on: ["pull_request", "merge_group"],
        concurrency: { key: "ci" },
        jobs: [job("ci", "hold")],
      },
    ]);
    const first = await openPullRequest(at, "one");
    const second = await openPullRequest(at, "two");
    const runs = at.world.workflowRuns(at.repository);
    expect(runs.map(({ headSha, conclusion }) => [headSha, conclusion])).toEqual([
      [second.headSha, null],
      [first.headSha, "cancelled"],
    ]);
    const [check] = at.world.checkRuns(at.repository, first.headSha);
    expect(check?.annotations.map(({ message }) => message)).toEqual([
      "Canceling since a higher priority waiting request for 'ci' exists",
    ]);
  });

  it("S4 a group enqueued with the Actions token starts no workflow (quirk 7)", async () => {
    const at = await aWorld();
    const pullRequest = await openPullRequest(at, "one");
    await finish(at, pullRequest.headSha);
    const actor = { login: "github-actions[bot]", type: "Bot" as const, id: 41898282 };
    await at.world.enqueue(at.repository, pullRequest.number, { actor });
    expect(at.world.checkRuns(at.repository, groupOf(at, pullRequest))).toEqual([]);
    await at.world.advance(60 * 60_000);
    expect(entryOf(at, pullRequest)).toBeNull();
  });

  it("S4 runs of a destroyed group go on (quirk 28)", async () => {
    const at = await aWorld();
    const pullRequest = await enqueued(at, "one");
    const group = groupOf(at, pullRequest);
    await at.world.dequeue(at.repository, pullRequest.number, at.user);
    expect(newestRun(at)).toMatchObject({ headSha: group, status: "in_progress" });
    await finish(at, group);
    expect(newestRun(at).conclusion).toBe("success");
  });

  it("S5 tells every step of a run by webhook", async () => {
    const at = await aWorld({ checks: [], jobs: [job("ci", "pass")] });
    const events = ["workflow_run", "workflow_job", "check_run", "check_suite"];
    await at.world.createHook(at.repository, { url: "http://receiver/", secret: "s", events });
    await openPullRequest(at, "one");
    await at.world.idle();
    expect(names(at.received)).toEqual([
      "workflow_run.requested",
      "workflow_job.queued",
      "check_run.created",
      "workflow_job.in_progress",
      "workflow_job.completed",
      "check_run.completed",
      "check_suite.completed",
      "workflow_run.in_progress",
      "workflow_run.completed",
    ]);
  });
});
