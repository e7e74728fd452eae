/** Every function there is, one file each. The surfaces list exactly these. */
import { claimGet } from "./claim-get.js";
import { claimRelease } from "./claim-release.js";
import { claimTake } from "./claim-take.js";
import type { ActionFunction } from "./define.js";
import { deploymentRunsAddItem } from "./deployment-runs-add-item.js";
import { deploymentRunsAdmit } from "./deployment-runs-admit.js";
import { deploymentRunsCreate } from "./deployment-runs-create.js";
import { deploymentRunsRemoveItem } from "./deployment-runs-remove-item.js";
import { deploymentRunsShow } from "./deployment-runs-show.js";
import { doctorRun } from "./doctor-run.js";
import { explainItem } from "./explain-item.js";
import { fleetIdle } from "./fleet-idle.js";
import { githubMergeQueueApply } from "./github-merge-queue-apply.js";
import { githubMergeQueueDiff } from "./github-merge-queue-diff.js";
import { githubMergeQueueHold } from "./github-merge-queue-hold.js";
import { githubMergeQueueReadiness } from "./github-merge-queue-readiness.js";
import { itemLandingsList } from "./item-landings-list.js";
import { itemLandingsRecord } from "./item-landings-record.js";
import { itemsAdd } from "./items-add.js";
import { itemsDepends } from "./items-depends.js";
import { itemsDetailGet } from "./items-detail-get.js";
import { itemsGet } from "./items-get.js";
import { itemsList } from "./items-list.js";
import { itemsSectionGet } from "./items-section-get.js";
import { lanesList } from "./lanes-list.js";
import { lanesRegister } from "./lanes-register.js";
import { mergeItem, mergeRetryFlake } from "./merge-item.js";
import { mergePreflightDependencyGate } from "./merge-preflight-dependency-gate.js";
import { mergeQueueLandingObserve } from "./merge-queue-landing-observe.js";
import { noticesAck } from "./notices-ack.js";
import { noticesList } from "./notices-list.js";
import { projectAdd } from "./project-add.js";
import { projectFreeze } from "./project-freeze.js";
import { projectGet } from "./project-get.js";
import { projectList } from "./project-list.js";
import { projectUnfreeze } from "./project-unfreeze.js";
import { qualificationsRecord } from "./qualifications-record.js";
import { serviceVersion } from "./service-version.js";
import { sessionsEnd } from "./sessions-end.js";
import { sessionsList } from "./sessions-list.js";
import { sessionsRegister } from "./sessions-register.js";
import { sessionsStopCheck } from "./sessions-stop-check.js";
import { statusBoard } from "./status-board.js";
import { steeringList } from "./steering-list.js";
import { steeringSay } from "./steering-say.js";
import { territoryClaim } from "./territory-claim.js";
import { territoryList } from "./territory-list.js";

/** In the order they are listed. */
export const functions: readonly ActionFunction[] = [
  projectAdd,
  projectList,
  projectGet,
  projectFreeze,
  projectUnfreeze,
  itemsAdd,
  itemsList,
  itemsGet,
  itemsDetailGet,
  itemsSectionGet,
  itemsDepends,
  lanesRegister,
  lanesList,
  claimTake,
  claimRelease,
  claimGet,
  qualificationsRecord,
  mergePreflightDependencyGate,
  mergeItem,
  mergeRetryFlake,
  mergeQueueLandingObserve,
  githubMergeQueueHold,
  githubMergeQueueDiff,
  githubMergeQueueApply,
  githubMergeQueueReadiness,
  itemLandingsRecord,
  itemLandingsList,
  territoryClaim,
  territoryList,
  deploymentRunsCreate,
  deploymentRunsAddItem,
  deploymentRunsRemoveItem,
  deploymentRunsAdmit,
  deploymentRunsShow,
  explainItem,
  statusBoard,
  noticesList,
  noticesAck,
  sessionsRegister,
  sessionsList,
  sessionsEnd,
  sessionsStopCheck,
  steeringSay,
  steeringList,
  fleetIdle,
  doctorRun,
  serviceVersion,
];

const byName: ReadonlyMap<string, ActionFunction> = new Map(
  functions.map((action) => [action.name, action]),
);

/** Null: this build has no function of that name. */
export function functionNamed(name: string): ActionFunction | null {
  return byName.get(name) ?? null;
}
