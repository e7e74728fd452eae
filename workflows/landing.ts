/**
 * One landing of one item, from its first arming to its close-out (design.md "One landing, end to end").
 * Workflow id: `landing:<item>`; a re-land attempt is a landing too, `reland:<item>:pr-<n>` (A10.1). Updates `merge` and `hold` are requests; the signal `pullRequestObserved` is a
 * fact of GitHub's and `freezeChanged` one of the project; the query `landingView` answers where it stands.
 */
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  patched,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import { openLanding } from "../src/core/landing/open-landing.js";
import type { Observation } from "../src/core/landing/model.js";
import { Journal } from "./landing-steps/journal.js";
import { carriedFrom, loadLanding } from "./landing-steps/record.js";
import { answerFreeze } from "./landing-steps/freeze.js";
import { answerHold } from "./landing-steps/hold.js";
import { answerMerge } from "./landing-steps/merge.js";
import {
  queries,
  signals,
  updates,
  type FreezeChanged,
  type HoldAnswer,
  type HoldRequest,
  type LandingCarried,
  type LandingInput,
  type LandingView,
  type MergeAnswer,
  type MergeRequest,
} from "./names.js";

export const merge = defineUpdate<MergeAnswer, [MergeRequest]>(updates.merge);
export const hold = defineUpdate<HoldAnswer, [HoldRequest]>(updates.hold);
export const pullRequestObserved = defineSignal<[Observation]>(signals.pullRequestObserved);
export const freezeChanged = defineSignal<[FreezeChanged]>(signals.freezeChanged);
export const landingView = defineQuery<LandingView | null>(queries.landingView);

/** Events of one run before it hands over; the server's own limit is far above (A15.5). */
const historyLimit = 4000;

interface Job<Request, Answer> {
  readonly request: Request;
  answer?: Answer;
}

export async function landing(input: LandingInput): Promise<LandingView> {
  const merges: Job<MergeRequest, MergeAnswer>[] = [];
  const holds: Job<HoldRequest, HoldAnswer>[] = [];
  let heard: Observation | null = null;
  const freezes: FreezeChanged[] = [];
  let journal: Journal | null = null;

  setHandler(
    merge,
    async (request) => {
      const job: Job<MergeRequest, MergeAnswer> = { request };
      merges.push(job);
      await condition(() => job.answer !== undefined);
      return job.answer as MergeAnswer;
    },
    { validator: ofThisItem(input.item) },
  );
  setHandler(
    hold,
    async (request) => {
      const job: Job<HoldRequest, HoldAnswer> = { request };
      holds.push(job);
      await condition(() => job.answer !== undefined);
      return job.answer as HoldAnswer;
    },
    { validator: ofThisItem(input.item) },
  );
  setHandler(pullRequestObserved, (observation) => {
    // Only the newest reading counts; a burst never grows the work (case E07, A4.8).
    if (heard === null || heard.readAt < observation.readAt) heard = observation;
  });
  setHandler(freezeChanged, (changed) => {
    // Only the newest counts.
    freezes.splice(0, freezes.length, changed);
  });
  setHandler(landingView, () =>
    journal === null ? null : { state: journal.state, version: journal.version, why: journal.why },
  );

  journal = new Journal(input.carried ?? (await takeUp(input)));
  journal.describe(null);
  for (;;) {
    const observation: Observation | null = heard;
    const freeze = freezes.shift();
    const mergeJob = merges.shift();
    const holdJob = holds.shift();
    if (observation !== null) {
      heard = null;
      await journal.take({ type: "observed", observation });
    }
    if (freeze !== undefined) await answerFreeze(journal, freeze.frozen);
    if (mergeJob !== undefined) mergeJob.answer = await answerMerge(journal, mergeJob.request);
    if (holdJob !== undefined) holdJob.answer = await answerHold(journal);
    if ([observation, freeze, mergeJob, holdJob].some((heardOf) => heardOf != null)) continue;

    const { phase } = journal.state;
    const ending = phase === "closed_out" || phase === "unarmed" || phase === "closed";
    const busy = () => heard !== null || [...merges, ...holds, ...freezes].length > 0;
    const idle = () => !busy() && allHandlersFinished();
    // A notice that is still owed is on record: upkeep takes the landing up again when there is somebody to tell.
    if (ending && idle()) {
      return { state: journal.state, version: journal.version, why: journal.why };
    }
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    const long = continueAsNewSuggested || historyLength > historyLimit;
    if (long && idle()) {
      await continueAsNew<typeof landing>({ ...input, carried: journal.carry() });
    }
    const wakeAt: number | null = journal.wakeAt;
    if (wakeAt === null) {
      // The handler of a request that was just answered ends after this pass: without waiting for that, a landing that is
      // only ever asked would never hand over.
      const leaves = ending || (long && patched("hand-over-when-answered"));
      await condition(() => busy() || (leaves && allHandlersFinished()));
    } else if (!(await condition(busy, Math.max(1, wakeAt - Date.now())))) {
      await lookAgain(journal);
    }
  }
}

/** The timer of a `recheck` went off: one reading, then the decision again. */
async function lookAgain(journal: Journal): Promise<void> {
  journal.wakeAt = null;
  const nodeId = journal.state.pullRequest?.nodeId;
  const observation = nodeId === undefined ? null : await journal.read(nodeId);
  if (observation !== null) await journal.take({ type: "observed", observation });
}

/** Takes a landing up from its stored record; a new item begins with nothing. */
async function takeUp(input: LandingInput): Promise<LandingCarried> {
  return carriedFrom(await loadLanding(input), openLanding(input));
}

/** Synchronous, as a validator must be: an async one refuses nothing. */
function ofThisItem(item: string) {
  return (request: { readonly item: string }) => {
    if (request.item !== item) {
      throw new Error(`This is the landing of ${item}; the request is about ${request.item}.`);
    }
  };
}
