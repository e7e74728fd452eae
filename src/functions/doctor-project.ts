/** What `yoke doctor` checks of one project. The one place, beside `project.add`, where a function asks GitHub. */
import { lastDelivery } from "../../db/deliveries.js";
import { readSecret } from "../config/secret.js";
import type { Project } from "../core/records.js";
import type { FunctionContext } from "./context.js";
import { failed, ok, type Check } from "./doctor-check.js";
import { repositoryWarnings } from "./repository-warnings.js";

export async function checkProject(
  context: FunctionContext,
  project: Project,
): Promise<readonly Check[]> {
  const { key, credential } = project;
  const subject = (part: string) => `${key} ${part}`;
  const reference = credential.kind === "token" ? credential.token : credential.privateKey;
  const credentialCheck = await readSecret(reference).then(
    () => ok(subject("credential"), `The ${credential.kind} is there (${reference}).`),
    (error: unknown) => failed(subject("credential"), error),
  );
  const repository =
    credentialCheck.state === "fail" ? [] : await checkRepository(context, project, subject);
  return [
    credentialCheck,
    ...repository,
    await checkWebhook(context, project, subject("webhook")),
    checkRefresh(context, project, subject("refresh")),
  ];
}

async function checkRepository(
  context: FunctionContext,
  project: Project,
  subject: (part: string) => string,
): Promise<readonly Check[]> {
  const { owner, name, gateBranch, repositoryId } = project;
  try {
    const facts = await context.github(project).repository({ owner, name }, gateBranch);
    if (facts.id !== repositoryId) {
      return [
        {
          name: subject("repository"),
          state: "fail",
          text: `${owner}/${name} is repository ${facts.id} now and was ${repositoryId}: another one took its name.`,
          next: "Add the new repository under a key of its own with `yoke project add`.",
        },
      ];
    }
    const warnings = repositoryWarnings(facts, gateBranch);
    return [
      ok(subject("repository"), `${facts.viewer} can read ${owner}/${name}.`),
      facts.gateBranchHead === null
        ? {
            name: subject("gate branch"),
            state: "fail",
            text: `${owner}/${name} has no branch ${gateBranch}.`,
            next: `Push ${gateBranch} to ${owner}/${name}.`,
          }
        : ok(subject("gate branch"), `${gateBranch} is at ${facts.gateBranchHead}.`),
      ...(warnings.length === 0
        ? [ok(subject("queue"), `${gateBranch} has a merge queue.`)]
        : warnings.map((warning): Check => ({
            name: subject("queue"),
            state: warning.status,
            text: warning.text,
            next: warning.next,
          }))),
    ];
  } catch (error) {
    return [failed(subject("repository"), error)];
  }
}

async function checkWebhook(
  context: FunctionContext,
  project: Project,
  name: string,
): Promise<Check> {
  const path = `/webhooks/github/${project.connection}`;
  if (project.webhookSecret === null) {
    return {
      name,
      state: "warn",
      text: "No webhook secret: GitHub is read by upkeep only.",
      next: `Add a webhook to ${path} with a secret, and name where the secret is kept.`,
    };
  }
  try {
    await readSecret(project.webhookSecret);
  } catch (error) {
    return failed(name, error);
  }
  const last = await lastDelivery(context.db, { connection: project.connection });
  if (last === null) {
    return {
      name,
      state: "warn",
      text: `No delivery came to ${path} yet.`,
      next: "Compare the webhook's URL and secret on GitHub, and redeliver its ping or a newer event.",
    };
  }
  const event = last.action === null ? last.event : `${last.event}.${last.action}`;
  return ok(name, `Last delivery ${event} at ${last.receivedAt}.`);
}

function checkRefresh(context: FunctionContext, project: Project, name: string): Check {
  const { refreshError, refreshedAt, upkeepSeconds } = project;
  if (refreshError !== null) {
    return {
      name,
      state: "fail",
      text: `${refreshError.code} at ${refreshError.at}: ${refreshError.message}`,
      next: "Put right what the message names; open landings go on by themselves then.",
    };
  }
  const seconds = (Date.parse(context.now()) - Date.parse(refreshedAt ?? project.createdAt)) / 1000;
  if (seconds > 2 * upkeepSeconds) {
    return {
      name,
      state: "warn",
      text:
        refreshedAt === null
          ? `GitHub was not read yet, though the project is older than two intervals of ${upkeepSeconds} s.`
          : `GitHub was last read at ${refreshedAt}, more than two intervals of ${upkeepSeconds} s ago.`,
      next: "See above whether a worker polls, and look at the schedule in Temporal's web UI.",
    };
  }
  return ok(
    name,
    refreshedAt === null
      ? `GitHub was not read yet; it is due every ${upkeepSeconds} s.`
      : `Last read at ${refreshedAt}.`,
  );
}
