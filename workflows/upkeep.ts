/** Upkeep: one scheduled pass a minute (A4.1), and passes at once for webhooks and waiters (A4.3). */
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import type { Activities } from "../activities/index.js";
import { profiles } from "../activities/profiles.js";
import {
  signals,
  updates,
  type PullRequestsTouched,
  type RefreshAnswer,
  type RefreshInput,
  type UpkeepInput,
} from "./names.js";

const { observeProject } = proxyActivities<Activities>(profiles.upkeep);

export const pullRequestsTouched = defineSignal<[PullRequestsTouched]>(signals.pullRequestsTouched);
export const refreshAll = defineUpdate<RefreshAnswer>(updates.refreshAll);

/** The scheduled pass over every open landing of a project. */
export async function upkeep(input: UpkeepInput): Promise<RefreshAnswer> {
  return observeProject({ project: input.project, pullRequests: null });
}

/**
 * Reads what webhooks named, or everything for the waiters of a stale record; ends when nothing is left to read.
 * Waiters that arrive while a pass is under way share the next one: it began after they asked.
 */
export async function refresh(input: RefreshInput): Promise<void> {
  const touched = new Set<number>(input.touched ?? []);
  let asked = 0;
  let answered = 0;
  let answer: RefreshAnswer = { observed: 0, changed: 0, refreshError: null };
  let failure: string | null = null;

  setHandler(pullRequestsTouched, ({ pullRequests }) => {
    for (const number of pullRequests) touched.add(number);
  });
  setHandler(refreshAll, async () => {
    asked += 1;
    const turn = asked;
    await condition(() => answered >= turn);
    return failure === null
      ? answer
      : { observed: 0, changed: 0, refreshError: { code: "refresh_failed", message: failure } };
  });

  for (;;) {
    await condition(() => touched.size > 0 || asked > answered || allHandlersFinished());
    if (touched.size === 0 && asked === answered) {
      if (allHandlersFinished()) return;
      continue;
    }
    const turn = asked;
    const pullRequests = turn > answered ? null : [...touched].toSorted((a, b) => a - b);
    touched.clear();
    try {
      answer = await observeProject({ project: input.project, pullRequests });
      failure = null;
    } catch (error) {
      // The activity stored the refresh error of the project; the next pass tries again (A5.10).
      failure =
        error instanceof Error
          ? error.cause instanceof Error
            ? error.cause.message
            : error.message
          : String(error);
    }
    answered = turn;
    if (workflowInfo().continueAsNewSuggested && asked === answered && allHandlersFinished()) {
      await continueAsNew<typeof refresh>({ project: input.project, touched: [...touched] });
    }
  }
}
