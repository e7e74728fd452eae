/** `deployment_runs.admit`: every member landed, and the gate branch contains each landing (A14.1). */
import { z } from "zod";
import { inTransaction } from "../../db/client.js";
import { admitDeploymentRun, listMembers } from "../../db/deployment-runs.js";
import { listLandings } from "../../db/landings.js";
import { listReceipts } from "../../db/receipts.js";
import { githubFault, githubRefusal } from "../core/github-fault.js";
import { admission, type Member } from "../core/release/admission.js";
import type { Project } from "../core/records.js";
import { Refused, type FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { openRun, runName, runShape, shownRun, storedRun } from "./deployment-run.js";
import { storedProject } from "./stored.js";

export const deploymentRunsAdmit = defineFunction({
  name: "deployment_runs.admit",
  since: "0.2.0",
  summary: "Admit a deployment run: every member landed, and the gate branch contains it.",
  effect: "write",
  input: z.strictObject({ run: runName }),
  output: z.object({ run: runShape }),
  async run(context, { run: name }) {
    const { project: key } = await storedRun(context.db, name);
    const project = await storedProject(context, key);
    const asked = new Map<string, boolean>();
    // GitHub is asked before the run is locked; what was added meanwhile is asked for by another round.
    for (;;) {
      const unasked = await inTransaction(context.db, async (transaction) => {
        await openRun(transaction, name);
        const inRun = { ...context, db: transaction };
        const members = await membersOf(inRun, name, asked);
        const missing = members.flatMap(({ receipt, contained }) =>
          receipt !== null && contained === null ? [receipt.mergeCommit] : [],
        );
        if (missing.length > 0) return missing;
        const refusals = admission(name, members);
        if (refusals.length > 0) throw new Refused(refusals);
        const landings = members.flatMap(({ item, receipt }) =>
          receipt === null
            ? []
            : [{ item, pullRequest: receipt.pullRequest, mergeCommit: receipt.mergeCommit }],
        );
        await admitDeploymentRun(transaction, { name, landings, at: context.now() });
        return [];
      });
      if (unasked.length === 0) return { run: await shownRun(context.db, name) };
      for (const commit of unasked) asked.set(commit, await onGate(context, project, commit));
    }
  },
});

/** The identity of the newest receipt stands, whether or not its close-out is done. */
async function membersOf(
  { db }: FunctionContext,
  run: string,
  asked: ReadonlyMap<string, boolean>,
): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (const { item } of await listMembers(db, { run })) {
    const [receipt = null] = await listReceipts(db, { item });
    const contained = receipt === null ? null : (asked.get(receipt.mergeCommit) ?? null);
    members.push({ item, landings: await listLandings(db, { items: [item] }), receipt, contained });
  }
  return members;
}

async function onGate(
  context: FunctionContext,
  project: Project,
  commit: string,
): Promise<boolean> {
  try {
    const asked = { branch: project.gateBranch, commit };
    const comparison = await context.github(project).compareWithBranch(project, asked);
    return comparison === "IDENTICAL" || comparison === "BEHIND";
  } catch (error) {
    const fault = githubFault(error);
    if (fault === null) throw error;
    throw new Refused([githubRefusal(fault, "arming_refused")]);
  }
}
