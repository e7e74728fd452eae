/** `status.board`: where every item stands. Reads Postgres only (A4.1). */
import { z } from "zod";
import { listClaims } from "../../db/claims.js";
import { listItems } from "../../db/items.js";
import { listLandings } from "../../db/landings.js";
import { listNotices } from "../../db/notices.js";
import { listProjects } from "../../db/projects.js";
import { byItem, openAttemptOf, shownLanding } from "../core/landing/landings-of-item.js";
import type { Project } from "../core/records.js";
import { boardRow, freshness } from "./board-row.js";
import type { FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { freezeOf, freezeShape } from "./freeze-of-project.js";
import { projectKey } from "./input-shapes.js";
import { noticeShape, refreshErrorShape } from "./record-shapes.js";
import { awaitingLanding, readRoster } from "./roster.js";
import { storedProject } from "./stored.js";

const row = z.object({
  item: z.string(),
  title: z.string(),
  status: z.enum(["open", "landing", "landed"]),
  /** Null: nothing was recorded for its landing yet. */
  phase: z.string().nullable(),
  /** Where it stands, in words. */
  where: z.string(),
  why: z.string(),
  next: z.string().nullable(),
  pullRequest: z.number().nullable(),
  url: z.string().nullable(),
  episode: z.number(),
  position: z.number().nullable(),
  etaSeconds: z.number().nullable(),
  /** The checks it waits for, in words. */
  checks: z.string().nullable(),
  failedChecks: z.array(z.string()).readonly(),
  holder: z.string().nullable(),
  /** Seconds since it came to stand there. */
  ageSeconds: z.number(),
});

const projectBoard = z.object({
  project: z.string(),
  repository: z.string(),
  gateBranch: z.string(),
  refreshedAt: z.string().nullable(),
  upkeepSeconds: z.number(),
  /** GitHub was not read for more than two refresh intervals, and something waits for it (A4.2). */
  stale: z.boolean(),
  refreshError: refreshErrorShape.nullable(),
  /** Null: nothing stands against arming. */
  freeze: freezeShape.nullable(),
  items: z.array(row),
});

export const statusBoard = defineFunction({
  name: "status.board",
  since: "0.1.0",
  summary: "Show where every item stands, of one project or all.",
  effect: "read",
  input: z.strictObject({
    project: projectKey.optional(),
    /** Items that landed longer ago than this many hours are left out. */
    landedWithinHours: z
      .int()
      .min(0)
      .max(24 * 366)
      .default(24),
  }),
  output: z.object({
    at: z.string(),
    projects: z.array(projectBoard),
    notices: z.array(noticeShape),
    awaitingLanding: z.array(z.object({ session: z.string(), items: z.array(z.string()) })),
  }),
  async run(context, { project, landedWithinHours }) {
    const projects =
      project === undefined
        ? await listProjects(context.db)
        : [await storedProject(context, project)];
    const [boards, notices, roster] = await Promise.all([
      Promise.all(projects.map((one) => boardOf(context, one, landedWithinHours))),
      listNotices(context.db, { project, open: true }),
      readRoster(context, project),
    ]);
    return {
      at: context.now(),
      projects: boards,
      notices,
      awaitingLanding: awaitingLanding(roster),
    };
  },
});

async function boardOf(
  context: FunctionContext,
  project: Project,
  landedWithinHours: number,
): Promise<z.input<typeof projectBoard>> {
  const { key } = project;
  const [freeze, items, records, claims] = await Promise.all([
    freezeOf(context, key),
    listItems(context.db, { project: key }),
    listLandings(context.db, { project: key }),
    listClaims(context.db, { project: key }),
  ]);
  const now = context.now();
  const recordOf = byItem(records, shownLanding);
  const holderOf = new Map(claims.map(({ item, session }) => [item, session]));
  const longAgo = Date.parse(now) - landedWithinHours * 3_600_000;
  // One that lands again is shown while it does, however long ago it landed first (A10.5).
  const landsAgain = byItem(records, openAttemptOf);
  const shown = items.filter(
    ({ key: item, status, mergedAt, mergeQueueLandedAt }) =>
      status !== "landed" ||
      landsAgain.has(item) ||
      Date.parse(mergeQueueLandedAt ?? mergedAt ?? now) >= longAgo,
  );
  return {
    project: key,
    repository: `${project.owner}/${project.name}`,
    gateBranch: project.gateBranch,
    refreshError: project.refreshError,
    freeze,
    ...freshness(project, records, now),
    items: shown.map((item) =>
      boardRow({
        item,
        record: recordOf.get(item.key) ?? null,
        holder: holderOf.get(item.key) ?? null,
        now,
      }),
    ),
  };
}
