/** Everything reported on a commit, as one list: not deduplicated, and in no order of time (quirk 16). */
import type { CheckRun, CommitStatus, Repository } from "../../../world/model.js";
import { nodeId } from "../../../world/node-ids.js";
import { connection, type PageArgs } from "../connection.js";
import type { GraphqlContext } from "../context.js";
import { type Fields, Plain } from "../fields.js";
import {
  type CheckRunSource,
  commitSource,
  type RollupSource,
  type StatusContextSource,
} from "../sources.js";
import { conclusionWord, statusWord } from "./words.js";

/** Null for a commit nothing was reported on. */
export function rollupSource(
  context: GraphqlContext,
  repository: Repository,
  oid: string,
): RollupSource | null {
  context.require("checks", "read");
  context.require("statuses", "read");
  const { runs, statuses } = reports(context, repository, oid);
  if (runs.length + statuses.length === 0) return null;
  return { __typename: "StatusCheckRollup", repository, oid };
}

interface Reports {
  readonly runs: readonly CheckRun[];
  /** The newest of each context: a status replaces the one before. */
  readonly statuses: readonly CommitStatus[];
}

function reports({ world }: GraphqlContext, repository: Repository, oid: string): Reports {
  const newest = new Map<string, CommitStatus>();
  for (const status of world.statuses(repository, oid))
    if (!newest.has(status.context)) newest.set(status.context, status);
  return { runs: world.checkRuns(repository, oid), statuses: [...newest.values()] };
}

export const StatusCheckRollup: Fields<RollupSource> = {
  id: ({ repository, oid }) => nodeId("C", repository.id, oid, "rollup"),
  commit: ({ repository, oid }) => commitSource(repository, oid),
  state: ({ repository, oid }, _, context) => rollupState(reports(context, repository, oid)),
  contexts: ({ repository, oid }, args: PageArgs, context) => {
    const { runs, statuses } = reports(context, repository, oid);
    const contexts: (CheckRunSource | StatusContextSource)[] = [
      ...runs.map((run) => ({ __typename: "CheckRun" as const, repository, run })),
      ...statuses.map((status) => ({ __typename: "StatusContext" as const, repository, status })),
    ];
    contexts.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
    return connection(contexts, args, (one) => one, {
      checkRunCount: runs.length,
      checkRunCountsByState: () => counts(runs.map(stateOfRun)),
      statusContextCount: statuses.length,
      statusContextCountsByState: () => counts(statuses.map(({ state }) => state.toUpperCase())),
    });
  },
};

/** Digits of the id from behind: fixed, and mixed in time. */
function orderOf(one: CheckRunSource | StatusContextSource): string {
  const id = one.__typename === "CheckRun" ? one.run.id : one.status.id;
  return String(id).split("").reverse().join("");
}

function counts(states: readonly string[]): Plain[] {
  const byState = new Map<string, number>();
  for (const state of states) byState.set(state, (byState.get(state) ?? 0) + 1);
  return [...byState].map(([state, count]) => new Plain({ state, count }));
}

/** `CheckRunState`: the conclusion, or the status of a run that has none. */
function stateOfRun(run: CheckRun): string {
  return conclusionWord(run.conclusion) ?? statusWord(run.status);
}

const PASSING = new Set(["success", "neutral", "skipped"]);

function rollupState({ runs, statuses }: Reports): string {
  const failed = (run: CheckRun): boolean =>
    run.conclusion !== null && !PASSING.has(run.conclusion);
  if (runs.some(failed) || statuses.some(({ state }) => state === "failure")) return "FAILURE";
  if (statuses.some(({ state }) => state === "error")) return "ERROR";
  const waits =
    runs.some(({ status }) => status !== "completed") ||
    statuses.some(({ state }) => state === "pending");
  return waits ? "PENDING" : "SUCCESS";
}
