/** Records for tests of the repositories; each call makes a project of its own. */
import { addItem } from "../../db/items.js";
import { addProject } from "../../db/projects.js";
import { registerSession, type NewSession } from "../../db/sessions.js";
import type { Executor } from "../../db/client.js";
import type { LandingStamp } from "../../db/landing-commit.js";
import type { LandingState, NoticeDraft, Observation } from "../../src/core/landing/model.js";
import type { Item, Project, Session } from "../../src/core/records.js";

export const noon = "2026-03-01T12:00:00.000Z";

/** `noon` and some seconds. */
export function after(seconds: number): string {
  return new Date(Date.parse(noon) + seconds * 1000).toISOString();
}

export const sha = (digit: string): string => digit.repeat(40);

let made = 0;

export async function sampleProject(db: Executor): Promise<Project> {
  made += 1;
  return addProject(db, {
    key: `P${String(made)}`,
    owner: "acme",
    name: "widgets",
    repositoryId: 9_000_000_000 + made,
    apiUrl: "https://api.github.com",
    gateBranch: "main",
    credential: { kind: "token", token: "env:GITHUB_TOKEN" },
    connection: `connection-${String(made)}`,
    webhookSecret: "file:/run/secrets/webhook",
    requirementDigest: "digest-1",
    requirement: "npm test",
    upkeepSeconds: 60,
    at: noon,
  });
}

export async function sampleItem(db: Executor, project?: Project): Promise<Item> {
  const { key } = project ?? (await sampleProject(db));
  return addItem(db, { project: key, title: "Widgets turn", body: "", at: noon });
}

export async function sampleSession(
  db: Executor,
  given: Partial<NewSession> = {},
): Promise<Session> {
  made += 1;
  return registerSession(db, {
    id: `session-${String(made)}`,
    harness: "person",
    wakeRoute: { kind: "operator" },
    host: "bench",
    project: null,
    steering: false,
    at: noon,
    ...given,
  });
}

export function observationOf(given: Partial<Observation> = {}): Observation {
  return {
    pullRequest: 12,
    nodeId: "PR_12",
    url: "https://github.com/acme/widgets/pull/12",
    readAt: noon,
    updatedAt: noon,
    state: "OPEN",
    isDraft: false,
    head: sha("a"),
    headBranch: "turn",
    headBranchExists: true,
    baseBranch: "main",
    baseBranchExists: true,
    mergeable: "MERGEABLE",
    mergeState: "CLEAN",
    autoMerge: null,
    queue: { read: "none" },
    queueEnabled: true,
    merge: null,
    closedAt: null,
    ...given,
  };
}

export function stateOf(item: Item, given: Partial<LandingState> = {}): LandingState {
  return {
    project: item.project,
    item: item.key,
    gateBranch: "main",
    episode: 1,
    phase: "pending",
    pullRequest: {
      number: 12,
      nodeId: "PR_12",
      url: "https://github.com/acme/widgets/pull/12",
    },
    candidate: { commit: sha("a"), tree: sha("b"), branch: "turn", qualification: "q-1" },
    admitted: true,
    stop: null,
    landed: null,
    queueConflict: null,
    readySince: null,
    graceEnqueueSpent: false,
    disarmFailed: false,
    lastObservation: null,
    noticed: [],
    ...given,
  };
}

export function landedState(item: Item, given: Partial<LandingState> = {}): LandingState {
  return stateOf(item, {
    phase: "landed",
    landed: { mergeCommit: sha("c"), mergedAt: after(60) },
    ...given,
  });
}

export function stampOf(given: Partial<LandingStamp> = {}): LandingStamp {
  return {
    pullRequest: 12,
    headBranch: "turn",
    target: "main",
    head: sha("a"),
    mergeCommit: sha("c"),
    mergedAt: after(60),
    ...given,
  };
}

export function noticeOf(item: Item, given: Partial<NoticeDraft> = {}): NoticeDraft {
  return {
    key: `${item.key}:1:landed`,
    kind: "landed",
    episode: 1,
    title: `${item.key} landed`,
    body: "",
    next: `yoke merge item ${item.key}`,
    reason: null,
    failedChecks: [],
    ...given,
  };
}
