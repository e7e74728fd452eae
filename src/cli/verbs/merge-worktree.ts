/** `yoke watch merge merge-worktree`: one lane of an epic, by the route of every other landing (A12.1, A13.2). */
import { integrateBranch } from "../../git/integrate.js";
import { refused } from "../call.js";
import { lanesHere } from "../lane.js";
import { report, say } from "../print.js";
import { mergeItem, type MergeOptions } from "./merge.js";

export interface WorktreeOptions extends MergeOptions {
  readonly lane: string;
  /** Lanes to bring into this one first. */
  readonly integrate?: readonly string[];
}

export async function mergeWorktree(epic: string, options: WorktreeOptions): Promise<void> {
  const lanes = await lanesHere(epic, options.lane);
  const stop = (outcome: Parameters<typeof report>[1]) =>
    report("watch merge merge-worktree", outcome, options, () => "");
  if (!lanes.ok) return stop(lanes);
  for (const branch of options.integrate ?? []) {
    for (const { path } of lanes.output) {
      const integrated = await integrateBranch({ item: epic, path, branch });
      if (!integrated.ok) return stop(refused(integrated.refusal));
      say(`${branch} is in ${options.lane}`);
    }
  }
  await mergeItem(epic, options);
}
