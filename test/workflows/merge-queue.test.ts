import { randomBytes } from "node:crypto";
import { Context } from "@temporalio/activity";
import { DefaultLogger, NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { WorkflowFailedError, type WorkflowHandle } from "@temporalio/client";
import { describe, expect, it, onTestFinished } from "vitest";
import type { QueueHost } from "../../src/core/local-queue/run/host.js";
import type { Opened, Queued } from "../../src/core/local-queue/run/model.js";
import { exitOf } from "../../src/core/local-queue/run/summary.js";
import { temporalClient } from "../../src/temporal/connect.js";
import { mergeQueueProgress, type mergeQueue } from "../../workflows/merge-queue.js";
import { workflowId } from "../../workflows/names.js";
import { workflowBundle } from "../setup/bundle.js";
import { testTemporal } from "../setup/temporal.js";

Runtime.install({ logger: new DefaultLogger("ERROR") });

const oid = (letter: string) => letter.repeat(40);
const needs = { cpuWeight: 1, memoryMb: 1, diskMb: 1, processSlots: 1 };
const candidates = (count: number): Queued[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `c${at + 1}`,
    branch: `lane/${at + 1}`,
    head: oid(`${at + 1}`),
  }));

/** A host whose candidates are what their names say; what it is asked for is in `asked`. */
class ScriptedHost implements QueueHost {
  base = oid("b");
  queue: Queued[];
  batchSize: Extract<Opened, { is: "open" }>["batchSize"] = 8;
  /** Gates in order of their stages. */
  gates: readonly string[] = ["tests"];
  readonly asked: string[] = [];
  bad: readonly string[] = [];
  /** What other people do before the next landing. */
  meanwhile: (() => void) | null = null;
  /** Members of each commit that was built. */
  private readonly commits = new Map<string, readonly string[]>();

  constructor(count: number) {
    this.queue = candidates(count);
  }

  openQueue(): Promise<Opened> {
    const { base, queue, batchSize } = this;
    const host = { cpuWeight: 2, memoryMb: 9, diskMb: 9, processSlots: 9 };
    return Promise.resolve({
      is: "open",
      base,
      queue: [...queue],
      batchSize,
      judged: { judged: 0, failed: 0 },
      host,
    });
  }

  buildTrial({ members, base }: Parameters<QueueHost["buildTrial"]>[0]) {
    const commit = `${base}:${members.join("+")}`;
    this.commits.set(commit, members);
    const gates = this.gates.map((name, stage) => ({ name, stage, needs }));
    return Promise.resolve({ is: "built" as const, commit, gates });
  }

  judgeGate({
    commit,
    gate,
  }: Parameters<QueueHost["judgeGate"]>[0]): ReturnType<QueueHost["judgeGate"]> {
    const members = this.commits.get(commit) ?? [];
    this.asked.push(`${gate} on ${members.join("+")}`);
    const signals = members.filter((member) => this.bad.includes(member));
    return Promise.resolve({
      runs: 1,
      verdict:
        signals.length === 0 ? { is: "passed" } : { is: "failed", evidence: { gate, signals } },
    });
  }

  recordVerdicts({ result }: Parameters<QueueHost["recordVerdicts"]>[0]) {
    for (const { member } of result.convicted) this.asked.push(`charge ${member}`);
    const charged = result.convicted.map(({ member }) => member);
    this.queue = this.queue.filter(({ id }) => !charged.includes(id));
    return Promise.resolve();
  }

  landBatch({
    base,
    commit,
    members,
  }: Parameters<QueueHost["landBatch"]>[0]): ReturnType<QueueHost["landBatch"]> {
    this.meanwhile?.();
    this.meanwhile = null;
    if (base !== this.base) return Promise.resolve({ is: "base_moved" });
    this.asked.push(`land ${members.join("+")}`);
    this.base = commit;
    this.queue = this.queue.filter(({ id }) => !members.includes(id));
    return Promise.resolve({ is: "landed" });
  }
}

async function started(host: QueueHost): Promise<WorkflowHandle<typeof mergeQueue>> {
  const { address, namespace } = await testTemporal();
  const key = randomBytes(6).toString("hex");
  const taskQueue = `merge-queue-${key}`;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: Object.fromEntries(
      (["openQueue", "buildTrial", "judgeGate", "recordVerdicts", "landBatch"] as const).map(
        (name) => [name, (ask: never) => host[name](ask)],
      ),
    ),
  });
  const running = worker.run();
  const temporal = temporalClient({ address, namespace, tls: null, apiKey: null });
  onTestFinished(async () => {
    worker.shutdown();
    await running;
    await connection.close();
    await temporal.close();
  });
  return temporal.client.workflow.start<typeof mergeQueue>("mergeQueue", {
    workflowId: workflowId.mergeQueue(key),
    taskQueue,
    args: [{ commonDir: "/repo/.git", actor: "me", dryRun: false, prune: true, taskQueue }],
  });
}

const ids = (queued: readonly Queued[]) => queued.map(({ id }) => id);

describe("a run of the local queue", () => {
  it("C4.7 C7.2 lands a clean batch in order after one run of each gate", async () => {
    const host = new ScriptedHost(3);
    host.gates = ["lint", "tests"];
    const summary = await (await started(host)).result();
    expect(ids(summary.landed)).toEqual(["c1", "c2", "c3"]);
    expect(summary).toMatchObject({ trials: 1, gateRuns: 2, base: { before: oid("b") } });
    expect(host.asked).toEqual(["lint on c1+c2+c3", "tests on c1+c2+c3", "land c1+c2+c3"]);
    expect(summary.base?.after).toBe(host.base);
    expect(exitOf(summary)).toBe(0);
  });

  it("C1.3 C4.11 charges the culprit, lands the others, and exits 1; batches follow each other", async () => {
    const host = new ScriptedHost(6);
    host.batchSize = 4;
    host.bad = ["c2"];
    const summary = await (await started(host)).result();
    expect(ids(summary.landed)).toEqual(["c1", "c3", "c4", "c5", "c6"]);
    expect(summary.convicted).toMatchObject([
      { member: "c2", as: "rejected", evidence: [{ gate: "tests", signals: ["c2"] }] },
    ]);
    expect(host.asked.filter((what) => /^(land|charge)/.test(what))).toEqual([
      "charge c2",
      "land c1+c3+c4",
      "land c5+c6",
    ]);
    expect(exitOf(summary)).toBe(1);
  });

  it("C5.1 case C32 a base that moved meanwhile is tested anew: nothing lands that was tested on another", async () => {
    const host = new ScriptedHost(2);
    host.meanwhile = () => {
      host.base = oid("e");
    };
    const summary = await (await started(host)).result();
    expect(ids(summary.landed)).toEqual(["c1", "c2"]);
    expect(host.asked).toEqual(["tests on c1+c2", "tests on c1+c2", "land c1+c2"]);
    expect(summary.base?.after).toBe(`${oid("e")}:c1+c2`);
  });

  it("C4.3 stops when nothing can be judged, charges nobody, and exits 2", async () => {
    const host = new ScriptedHost(2);
    host.judgeGate = () =>
      Promise.resolve({ runs: 0, verdict: { is: "undecidable", why: "no program pytest" } });
    const summary = await (await started(host)).result();
    expect(summary).toMatchObject({
      landed: [],
      convicted: [],
      left: ["c1", "c2"],
      undecidable: "no program pytest",
    });
    expect(exitOf(summary)).toBe(2);
  });

  it("C4.8 says what runs, and when it is ended its gates are, and nothing lands", async () => {
    const host = new ScriptedHost(2);
    let ended = false;
    host.judgeGate = async () => {
      const { cancellationSignal, cancelled } = Context.current();
      cancellationSignal.addEventListener("abort", () => {
        ended = true;
      });
      const beat = setInterval(() => Context.current().heartbeat(), 200);
      return cancelled.finally(() => clearInterval(beat));
    };
    const run = await started(host);
    await expect
      .poll(() => run.query(mergeQueueProgress), { timeout: 20_000 })
      .toMatchObject({ doing: "testing", gates: ["tests"], batch: ["lane/1", "lane/2"] });
    await run.cancel();
    await expect(run.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(ended).toBe(true);
    expect(host.asked).toEqual([]);
  });
});
