/** Why checks of a merge group were cancelled (A16.5, case A15). */
import type { FailedCheck } from "../core/landing/model.js";
import { cancelCause } from "../core/recovery/cancelled.js";
import { GitHubError, type RepositoryRef } from "./port.js";
import type { Transport } from "./transport.js";
import { readJobs, readRuns } from "./workflow-runs.js";

/**
 * Gives each cancelled check of `checks` its cause. Sends nothing when none was cancelled; a credential that may not
 * see Actions leaves the causes out, since a stop does not rest on them.
 */
export async function withCauses(
  transport: Transport,
  repository: RepositoryRef,
  group: { readonly commit: string; readonly repositoryUrl: string },
  checks: readonly FailedCheck[],
): Promise<readonly FailedCheck[]> {
  if (!checks.some(wasCancelled)) return checks;
  const { commit, repositoryUrl } = group;
  const query = (by: Record<string, string>) => readRuns(transport, repository, repositoryUrl, by);
  try {
    const runs = await query({ head_sha: commit });
    const branch = runs[0]?.branch ?? null;
    const onBranch = branch === null ? [] : await query({ branch });
    const told: FailedCheck[] = [];
    for (const check of checks) {
      const run = wasCancelled(check) ? runs.find(({ url }) => url === check.runUrl) : undefined;
      if (run === undefined) {
        told.push(check);
        continue;
      }
      const jobs = await readJobs(transport, repository, run.id, new Set([check.name]));
      const newest = jobs.filter(({ attempt }) => attempt === run.attempt);
      told.push({ ...check, cause: cancelCause(run, newest, [...runs, ...onBranch]) });
    }
    return told;
  } catch (error) {
    if (error instanceof GitHubError && error.fault.kind === "no_access") return checks;
    throw error;
  }
}

function wasCancelled({ conclusion, runUrl }: FailedCheck): boolean {
  return conclusion === "CANCELLED" && runUrl !== undefined;
}
