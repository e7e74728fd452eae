import { describe, expect, it } from "vitest";

import { faultOf } from "./faults.js";
import { github, type Reply } from "./fake-github.js";
import { graphqlError, GROUP, HEAD } from "./pull-requests.js";

const acme = { owner: "acme", name: "app" };

describe("what a stop rests on", () => {
  const run = (databaseId: number, name: string, conclusion: string | null, isRequired = true) => ({
    __typename: "CheckRun",
    databaseId,
    name,
    status: conclusion === null ? "IN_PROGRESS" : "COMPLETED",
    conclusion,
    detailsUrl: `https://ci.test/${databaseId}`,
    isRequired,
    checkSuite: { app: { databaseId: 15368 }, workflowRun: { databaseId: 900 + databaseId } },
  });
  const status = (context: string, state: string, isRequired = true) => ({
    __typename: "StatusContext",
    context,
    state,
    targetUrl: null,
    isRequired,
  });
  const rollup = (nodes: readonly object[], endCursor: string | null = null) => ({
    contexts: { pageInfo: { hasNextPage: endCursor !== null, endCursor }, nodes },
  });
  const ask = { pullRequest: 7, candidate: HEAD, baseBranch: "main" };

  async function evidence(
    head: object | null,
    group: object | null,
    ref: unknown = { compare: { status: "AHEAD" } },
    errors: readonly object[] = [],
    actions: (path: string) => Reply = () => ({ status: 403, body: { message: "not yours" } }),
  ) {
    const repository = {
      url: "https://github.test/acme/app",
      ref,
      pullRequest: {
        headRefOid: HEAD,
        statusCheckRollup: head,
        timelineItems: {
          nodes:
            group === null
              ? []
              : [
                  {
                    createdAt: "2026-01-02T03:10:00Z",
                    reason: "failed_checks",
                    beforeCommit: { oid: GROUP, statusCheckRollup: group },
                  },
                ],
        },
      },
    };
    const { client, sent } = await github(({ operation, path }) => {
      if (operation === "") return actions(path);
      return operation === "MoreChecks"
        ? {
            body: {
              data: {
                repository: {
                  object: { statusCheckRollup: rollup([run(900, "late", "FAILURE")]) },
                },
              },
            },
          }
        : { body: { data: { repository }, ...(errors.length === 0 ? {} : { errors }) } };
    });
    return { call: client.stopEvidence(acme, ask), sent };
  }

  it("A5.3 lists failed and cancelled required checks of the group and of the head", async () => {
    const { call, sent } = await evidence(
      rollup([
        status("legacy", "ERROR"),
        status("other", "FAILURE", false),
        run(1, "ok", "SUCCESS"),
      ]),
      rollup([
        run(2, "build", "FAILURE"),
        run(3, "lint", "CANCELLED"),
        run(4, "docs", "SKIPPED"),
        run(5, "optional", "FAILURE", false),
        run(6, "slow", null),
      ]),
    );
    expect(await call).toMatchObject({
      baseContainsCandidate: "no",
      removal: { at: "2026-01-02T03:10:00Z", reason: "failed_checks", groupCommit: GROUP },
      failedChecks: [
        { name: "build", conclusion: "FAILURE", url: "https://ci.test/2", on: "group" },
        { name: "lint", conclusion: "CANCELLED", url: "https://ci.test/3", on: "group" },
        { name: "legacy", conclusion: "ERROR", url: null, on: "head" },
      ],
    });
    // The second asks why a check was cancelled. This credential may not know, and nothing rests on that.
    expect(sent.map(({ operation }) => operation)).toEqual(["StopEvidence", ""]);
  });

  it("A16.5 case A15 says why checks of the group were cancelled: each by its own run", async () => {
    const branch = "gh-readonly-queue/main/pr-7-0123";
    const actionsRun = (id: number, workflow: number, number: number) => ({
      id,
      workflow_id: workflow,
      run_number: number,
      status: "completed",
      conclusion: "cancelled",
      event: "merge_group",
      head_branch: branch,
      head_sha: id === 999 ? HEAD : GROUP,
      created_at: "2026-01-02T03:00:00Z",
    });
    const job = (name: string, id: number) => ({
      name,
      status: "completed",
      conclusion: "cancelled",
      completed_at: "2026-01-02T03:05:00Z",
      runner_name: "runner-1",
      check_run_url: `https://api.github.test/repos/acme/app/check-runs/${id}`,
    });
    const listed = (field: string, entries: readonly object[]): Reply => ({
      body: { total_count: entries.length, [field]: entries },
    });
    const answers: Readonly<Record<string, Reply>> = {
      [`/actions/runs?head_sha=${GROUP}`]: listed("workflow_runs", [
        actionsRun(902, 1, 5),
        actionsRun(903, 2, 5),
      ]),
      [`/actions/runs?branch=${encodeURIComponent(branch)}`]: listed("workflow_runs", [
        actionsRun(903, 2, 5),
        actionsRun(999, 2, 6),
      ]),
      "/actions/runs/902/jobs?filter=all": listed("jobs", [job("slow", 2)]),
      "/actions/runs/903/jobs?filter=all": listed("jobs", [job("lint", 3)]),
      "/check-runs/2/annotations?per_page=50": {
        body: [{ message: "The job has exceeded the maximum execution time of 10m0s" }],
      },
      "/check-runs/3/annotations?per_page=50": { body: [] },
    };
    const { call, sent } = await evidence(
      null,
      rollup([
        run(1, "build", "FAILURE"),
        run(2, "slow", "CANCELLED"),
        run(3, "lint", "CANCELLED"),
      ]),
      undefined,
      [],
      (path) => {
        const asked = path.replace("/api/v3/repos/acme/app", "").replace(/&per_page=.*$/, "");
        return answers[asked] ?? { status: 400, body: { message: `unexpected ${asked}` } };
      },
    );
    const { failedChecks } = await call;
    expect(failedChecks.map(({ name, cause }) => [name, cause])).toEqual([
      ["build", undefined],
      ["lint", "reenqueued"],
      ["slow", "time_limit"],
    ]);
    expect(sent).toHaveLength(7);
  });

  it("A9.4 the page of a run is made of its id and the repository, for a report that names none", async () => {
    const silent = { ...run(2, "build", "FAILURE"), detailsUrl: null };
    const other = { ...run(3, "scan", "FAILURE"), checkSuite: { app: null, workflowRun: null } };
    const { failedChecks } = await evidence(null, rollup([silent, other])).then(({ call }) => call);
    expect(failedChecks).toEqual([
      {
        name: "build",
        conclusion: "FAILURE",
        url: null,
        on: "group",
        runUrl: "https://github.test/acme/app/actions/runs/902",
      },
      { name: "scan", conclusion: "FAILURE", url: "https://ci.test/3", on: "group" },
    ]);
  });

  it("A5.3 a superseded run counts no more, whatever its place in the list", async () => {
    const passed = await evidence(null, rollup([run(9, "ci", "SUCCESS"), run(8, "ci", "FAILURE")]));
    expect((await passed.call).failedChecks).toEqual([]);
    const failed = await evidence(null, rollup([run(8, "ci", "SUCCESS"), run(9, "ci", "FAILURE")]));
    expect((await failed.call).failedChecks).toHaveLength(1);
    const otherApp = {
      ...run(9, "ci", "SUCCESS"),
      checkSuite: { app: { databaseId: 1 }, workflowRun: null },
    };
    const two = await evidence(null, rollup([otherApp, run(8, "ci", "FAILURE")]));
    expect((await two.call).failedChecks).toHaveLength(1);
  });

  it("A5.3 more than a hundred checks are read to the end", async () => {
    const { call, sent } = await evidence(null, rollup([run(1, "ci", "SUCCESS")], "page-2"));
    expect((await call).failedChecks).toMatchObject([{ name: "late", on: "group" }]);
    expect(sent[1]?.variables).toMatchObject({ oid: GROUP, after: "page-2" });
  });

  it("A5.12 says whether the base holds the candidate, and unknown when it was not compared", async () => {
    const yes = await evidence(null, null, { compare: { status: "BEHIND" } });
    expect(await yes.call).toMatchObject({ baseContainsCandidate: "yes", removal: null });
    const error = graphqlError("INTERNAL", "too slow", ["repository", "ref", "compare"]);
    const unknown = await evidence(null, null, { compare: null }, [error]);
    expect((await unknown.call).baseContainsCandidate).toBe("unknown");
    const gone = await evidence(null, null, null);
    expect((await gone.call).baseContainsCandidate).toBe("unknown");
  });

  it("A15.3 checks that could not be read are not a list without failures", async () => {
    const { call } = await evidence(null, null, undefined, [
      graphqlError("FORBIDDEN", "checks", ["repository", "pullRequest", "statusCheckRollup"]),
    ]);
    expect(await faultOf(call)).toMatchObject({ kind: "no_access", status: 403 });
  });
});
