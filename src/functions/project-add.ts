/** `project.add`: brings a repository under control. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { violated } from "../../db/client.js";
import { addProject, findProject, listProjects } from "../../db/projects.js";
import { readSecret } from "../config/secret.js";
import { githubFault } from "../core/github-fault.js";
import type { Project } from "../core/records.js";
import { refuse } from "../core/refusals.js";
import type { RepositoryFacts } from "../github/port.js";
import { Refused, type FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { branchName, projectKey, secretRef, words } from "./input-shapes.js";
import { projectShape } from "./record-shapes.js";
import { repositoryWarnings } from "./repository-warnings.js";

const repository = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/, "expected OWNER/NAME");

const credential = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("token"), token: secretRef }),
  z.strictObject({
    kind: z.literal("app"),
    appId: z.int().positive(),
    installationId: z.int().positive(),
    privateKey: secretRef,
  }),
]);

export const projectAdd = defineFunction({
  name: "project.add",
  since: "0.1.0",
  summary: "Bring a GitHub repository and its gate branch under control.",
  effect: "write",
  input: z.strictObject({
    key: projectKey,
    repository,
    gateBranch: branchName.default("main"),
    apiUrl: z.url({ protocol: /^https?$/ }).default("https://api.github.com"),
    credential,
    webhookSecret: secretRef.nullable().default(null),
    /** What a candidate must pass; its digest is what qualifications are recorded under (A1.2). */
    requirement: words("what a candidate must pass", 20_000),
    /** `content`: a queue that squashes or rebases is taken, and its landings are proved by content (A16.2). */
    closeOut: z.enum(["ancestry", "content"]).default("ancestry"),
    /** Delete a lane's branch on GitHub once its landing is proved; two requests more a landing (A16.6). */
    deleteRemoteBranches: z.boolean().default(false),
    upkeepSeconds: z.int().min(1).max(3600).default(60),
  }),
  output: z.object({
    project: projectShape,
    warnings: z.array(z.string()),
    /** Path of the webhook at this server, and what it must be subscribed to. */
    webhook: z.object({ path: z.string(), events: z.array(z.string()) }),
    /** Whether the upkeep schedule stands already; the server makes it as soon as it can. */
    upkeep: z.object({ scheduled: z.boolean(), why: z.string().nullable() }),
  }),
  async run(context, { repository, ...input }) {
    const [owner = "", name = ""] = repository.split("/");
    await refuseKnownKey(context, input.key);
    await readSecret(
      input.credential.kind === "token" ? input.credential.token : input.credential.privateKey,
    );
    if (input.webhookSecret !== null) await readSecret(input.webhookSecret);
    const draft: Project = {
      ...input,
      owner,
      name,
      apiUrl: input.apiUrl.replace(/\/+$/, ""),
      repositoryId: 0,
      connection: context.newId(),
      requirementDigest: requirementDigest(input.requirement),
      refreshError: null,
      refreshedAt: null,
      createdAt: context.now(),
    };
    const facts = await readRepository(context, draft);
    const project = await stored(context, { ...draft, repositoryId: facts.id });
    return {
      project,
      warnings: [
        ...repositoryWarnings(facts, project.gateBranch).map(({ text }) => text),
        ...(project.webhookSecret === null
          ? ["No webhook secret: GitHub is read by upkeep only, and deliveries are refused."]
          : []),
      ],
      webhook: { path: `/webhooks/github/${project.connection}`, events: [...webhookEvents] },
      upkeep: await schedule(context, project),
    };
  },
});

/** What wakes a landing (A4.1). */
const webhookEvents = [
  "pull_request",
  "merge_group",
  "check_run",
  "check_suite",
  "status",
  "push",
] as const;

/** SHA-256 of the requirement's text, in hex. */
export function requirementDigest(requirement: string): string {
  return createHash("sha256").update(requirement).digest("hex");
}

async function refuseKnownKey(context: FunctionContext, key: string): Promise<void> {
  if ((await findProject(context.db, { key })) === null) return;
  throw exists(`Project ${key} exists already.`, key);
}

async function readRepository(
  context: FunctionContext,
  project: Project,
): Promise<RepositoryFacts> {
  const { owner, name, gateBranch } = project;
  const seen = { repository: `${owner}/${name}`, gateBranch };
  let facts: RepositoryFacts;
  try {
    facts = await context.github(project).repository({ owner, name }, gateBranch);
  } catch (error) {
    const fault = githubFault(error);
    if (fault?.kind !== "no_access" || fault.status !== 404) throw error;
    const what = `${owner}/${name} cannot be seen with this credential: ${fault.message}`;
    throw new Refused([refuse("repository_unknown", what, seen)]);
  }
  if (facts.gateBranchHead !== null) return facts;
  throw new Refused([
    refuse("gate_branch_missing", `${owner}/${name} has no branch ${gateBranch}.`, seen),
  ]);
}

async function stored(context: FunctionContext, draft: Project): Promise<Project> {
  const { refreshError: _error, refreshedAt: _refreshed, createdAt: at, ...given } = draft;
  try {
    return await addProject(context.db, { ...given, at });
  } catch (error) {
    const constraint = violated(error);
    if (constraint === "projects_pkey") {
      throw exists(`Project ${draft.key} exists already.`, draft.key);
    }
    if (constraint !== "projects_repository_gate_unique") throw error;
    const known = (await listProjects(context.db)).find(
      ({ repositoryId, gateBranch }) =>
        repositoryId === draft.repositoryId && gateBranch === draft.gateBranch,
    );
    const key = known?.key ?? "another project";
    throw exists(
      `${draft.gateBranch} of ${draft.owner}/${draft.name} is under control as ${key} already.`,
      key,
    );
  }
}

function exists(message: string, project: string): Refused {
  return new Refused([refuse("project_exists", message, { project })]);
}

/** The project stays when Temporal is away: the server makes the schedules of all projects when it can. */
async function schedule(context: FunctionContext, project: Project) {
  try {
    await context.landings.ensureUpkeep(project);
    return { scheduled: true, why: null };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { scheduled: false, why: error.message };
  }
}
