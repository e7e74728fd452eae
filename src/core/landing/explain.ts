/** Why an item has not landed: every reason, each with its next step, from stored records alone (A16.4). */
import type {
  Item,
  Lane,
  LandingRecord,
  Notice,
  Predecessor,
  Project,
  Qualification,
  Receipt,
} from "../records.js";
import { dependencyGate } from "./dependency-gate.js";
import { duration } from "./describe.js";
import { secondsBetween } from "./elapsed.js";
import { frozenRefusal, type Freeze } from "./freeze.js";
import { landingReasons, type Reason } from "./explain-landing.js";
import { mergeCommand } from "./stop-words.js";

export type { Reason } from "./explain-landing.js";

export interface ExplainInput {
  readonly item: Item;
  readonly lanes: readonly Lane[];
  readonly qualifications: readonly Qualification[];
  readonly predecessors: readonly Predecessor[];
  readonly record: LandingRecord | null;
  readonly project: Project;
  /** The freeze that lasts now. */
  readonly freeze: Freeze | null;
  readonly notices: readonly Notice[];
  readonly receipts: readonly Receipt[];
  /** ISO 8601: ages are told by it. */
  readonly now: string;
}

/**
 * All reasons together, the one that matters most first. An item that landed and was closed out gets one line. What
 * only git on the lane's host or GitHub could say is not guessed: each stored fact carries its age.
 */
export function explain(input: ExplainInput): readonly Reason[] {
  const { item, record, receipts } = input;
  if (record?.state.phase === "closed_out" || (record === null && item.status === "landed")) {
    const receipt = receipts.at(-1);
    const commit = receipt?.closeOut?.carriedBy ?? item.mergeCommit ?? receipt?.mergeCommit;
    const at = item.mergedAt ?? receipt?.mergedAt;
    return [
      {
        code: "landed",
        text: `${item.key} landed${commit === undefined ? "" : ` as ${commit}`}${at === undefined ? "" : ` at ${at}`}.`,
        next: null,
      },
    ];
  }
  if (record?.state.phase === "landed") {
    return [...landingReasons(record), ...refreshReasons(input), ...noticeReasons(input)];
  }
  return [
    ...(record === null ? [] : landingReasons(record)),
    ...freezeReasons(input),
    ...dependencyReasons(input),
    ...preparationReasons(input),
    ...refreshReasons(input),
    ...ageReasons(input),
    ...noticeReasons(input),
  ];
}

/** One that holds this landing has said so already. */
function freezeReasons({ project, freeze, record }: ExplainInput): readonly Reason[] {
  if (freeze === null || (record?.state.frozen ?? null) !== null) return [];
  const { code, message, next } = frozenRefusal(project.key, freeze);
  return [{ code, text: message, next }];
}

function dependencyReasons({ item, predecessors }: ExplainInput): readonly Reason[] {
  const gate = dependencyGate(item.key, predecessors);
  if (gate.clear) return [];
  const { code, message, next } = gate.refusal;
  return [{ code, text: message, next }];
}

/** What is missing before anything can be armed; nothing once GitHub holds it. */
function preparationReasons(input: ExplainInput): readonly Reason[] {
  const { item, lanes, qualifications, record, project } = input;
  const phase = record?.state.phase ?? "unarmed";
  if (phase === "pending" || phase === "waiting_reentry") return [];
  const active = lanes.filter(({ state }) => state === "active");
  if (active.length === 0) {
    return [
      {
        code: "lane_unknown",
        text: `${item.key} has no active lane, so there is nothing to land from.`,
        next: `Make a worktree for it and register it with \`yoke lanes register ${item.key}\` from inside it.`,
      },
    ];
  }
  const passed = qualifications.filter(({ verdict }) => verdict === "passed");
  const current = passed.filter(
    ({ requirementDigest }) => requirementDigest === project.requirementDigest,
  );
  const command = `\`yoke verify record ${item.key}\``;
  if (qualifications.length === 0) {
    return [
      {
        code: "qualification_missing",
        text: `No verification of ${item.key} was recorded.`,
        next: `Verify the lane's head and record it with ${command}.`,
      },
    ];
  }
  if (passed.length === 0) {
    return [
      {
        code: "qualification_failed",
        text: `Every recorded verification of ${item.key} failed.`,
        next: `Fix the change, verify it and record it with ${command}.`,
      },
    ];
  }
  if (current.length === 0) {
    return [
      {
        code: "qualification_outdated",
        text: `${item.key} passed only under an older requirement of ${project.key}.`,
        next: `Verify again under the current requirement and record it with ${command}.`,
      },
    ];
  }
  if (phase !== "unarmed") return [];
  return [
    {
      code: "not_armed",
      text: `${item.key} was verified and not armed yet.`,
      next: `Run \`${mergeCommand(item.key)}\`.`,
    },
  ];
}

function refreshReasons({ project }: ExplainInput): readonly Reason[] {
  const error = project.refreshError;
  if (error === null) return [];
  return [
    {
      code: error.code,
      text: `${project.key} could not be refreshed from GitHub at ${error.at}: ${error.message}`,
      next: "Put right what the message names; `yoke doctor` checks GitHub's rights. Open landings go on by themselves then.",
    },
  ];
}

/** A record that upkeep has not kept current is old news (A4.3). */
function ageReasons({ record, project, item, now }: ExplainInput): readonly Reason[] {
  if (record === null || record.pullRequest === null || record.state.episode === 0) return [];
  const readAt = project.refreshedAt ?? record.observedAt;
  if (readAt === null) return [];
  const age = secondsBetween(readAt, now);
  if (age <= 2 * project.upkeepSeconds) return [];
  return [
    {
      code: "record_old",
      text: `GitHub was last read ${duration(age)} ago; this may be old news.`,
      next: `Run \`yoke explain ${item.key} --refresh\`. If it stays so, check with \`yoke doctor\` that a worker runs.`,
    },
  ];
}

/** Seconds after which a notice that was never tried is late: no worker runs, or it is stuck. */
const noticeLate = 60;

/** What nobody could be told is one reason with one remedy, however many notices it is. */
function noticeReasons({ item, notices, now }: ExplainInput): readonly Reason[] {
  const pending = notices.filter(
    ({ state, attempts, createdAt }) =>
      state === "pending" && (attempts > 0 || secondsBetween(createdAt, now) > noticeLate),
  );
  const toNobody = pending.filter(({ recipient }) => recipient === null);
  const titles = toNobody.map(({ title }) => `"${title}"`).join(" and ");
  const why = toNobody.find(({ lastError }) => lastError !== null)?.lastError ?? null;
  return [
    ...(toNobody.length === 0
      ? []
      : [
          {
            code: "notice_undelivered",
            text: `Nobody was told ${titles}${why === null ? "" : `: ${why}`}.`,
            next: `Register a session with \`yoke sessions register\` and claim the item for it with \`yoke claim ${item.key}\`, or register the project's steering seat; it is told with the next reading of GitHub.`,
          },
        ]),
    ...pending.flatMap(({ title, recipient, attempts, lastError }) =>
      recipient === null
        ? []
        : [
            {
              code: "notice_undelivered",
              text: `The notice "${title}" was not delivered to session ${recipient} (${attempts} ${attempts === 1 ? "attempt" : "attempts"}${lastError === null ? "" : `; last: ${lastError}`}).`,
              next: `Check the wake route of session ${recipient} with \`yoke sessions list\`.`,
            },
          ],
    ),
  ];
}
