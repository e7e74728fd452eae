/** One trial: the merge is built, and its gates run side by side while the host has room (C2.8, C4.1). */
import { CancellationScope, isCancellation } from "@temporalio/workflow";
import type { Trial, Verdict } from "../../src/core/local-queue/batch/trial.js";
import {
  beginNow,
  type Resources,
  type WaitingGate,
} from "../../src/core/local-queue/gates/schedule.js";
import type { Built, GateVerdict } from "../../src/core/local-queue/run/model.js";

/** What a trial asks of the host that has the repository. */
export interface TrialHost {
  build(members: readonly string[]): Promise<Built>;
  judge(commit: string, gate: WaitingGate): Promise<GateVerdict>;
}

/** `seen`: the gates that run now, each time that changes. The commit is null when nothing was built. */
export async function tryTrial(
  host: TrialHost,
  { members }: Trial,
  resources: Resources,
  seen: (running: readonly string[]) => void,
): Promise<{ readonly commit: string | null; readonly verdict: Verdict }> {
  const built = await host.build(members);
  if (built.is !== "built") return { commit: null, verdict: built };
  const { commit, gates } = built;
  const verdict = await CancellationScope.cancellable(() =>
    judgeAll((gate) => host.judge(commit, gate), gates, resources, seen),
  );
  return { commit, verdict };
}

/** The first gate that does not pass decides; the others that run then are not waited for. */
async function judgeAll(
  judge: (gate: WaitingGate) => Promise<GateVerdict>,
  gates: readonly WaitingGate[],
  resources: Resources,
  seen: (running: readonly string[]) => void,
): Promise<Verdict> {
  let waiting = gates;
  const running = new Map<WaitingGate, Promise<readonly [WaitingGate, GateVerdict]>>();
  for (;;) {
    for (const gate of beginNow(waiting, [...running.keys()], resources)) {
      waiting = waiting.filter((one) => one !== gate);
      running.set(
        gate,
        judge(gate).then((verdict) => [gate, verdict] as const),
      );
    }
    seen([...running.keys()].map(({ name }) => name));
    if (running.size === 0) return { is: "passed" };
    const [gate, verdict] = await Promise.race(running.values());
    running.delete(gate);
    if (verdict.is === "passed") continue;
    await letGo([...running.values()]);
    return verdict.is === "undecidable"
      ? verdict
      : { is: verdict.is, evidence: [verdict.evidence] };
  }
}

/** Their worktrees are the host's to remove, so their end is waited for. */
async function letGo(running: readonly Promise<unknown>[]): Promise<void> {
  if (running.length === 0) return;
  CancellationScope.current().cancel();
  for (const end of await Promise.allSettled(running)) {
    if (end.status === "rejected" && !isCancellation(end.reason)) throw end.reason;
  }
}
