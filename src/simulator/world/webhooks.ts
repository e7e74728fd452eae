/**
 * From an event to deliveries: who is subscribed and may see it (github-facts 3), the bytes to send, and
 * the scripted faults. The outbox sends them after the world has settled.
 */
import { randomUUID } from "node:crypto";

import { timestampOf } from "../clock.js";
import type { Engine } from "./engine.js";
import type { Actor, Delivery, Installation, WebhookFault } from "./model.js";
import { nodeId } from "./node-ids.js";
import { organizationPayload, userPayload } from "./payloads/account.js";
import { linksOf } from "./payloads/links.js";
import { repositoryPayload } from "./payloads/repository.js";
import type { RepositoryState } from "./state.js";

export interface WebhookEvent {
  readonly name: keyof typeof PERMISSION;
  readonly action: string | null;
  readonly sender: Actor;
  /** Built only when somebody is subscribed. Repository, sender and installation are added. */
  readonly payload: () => Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** Permission an App needs at `read` to receive the event. */
const PERMISSION = {
  pull_request: "pull_requests",
  merge_group: "merge_queues",
  check_run: "checks",
  check_suite: "checks",
  workflow_run: "actions",
  workflow_job: "actions",
  status: "statuses",
  push: "contents",
  repository_ruleset: "administration",
} as const;

/** Never sent to repository webhooks (github-facts 3.1). */
const APP_ONLY = new Set<string>(["merge_group"]);

/** Deliveries kept in the log. */
const LOG_LENGTH = 5_000;

interface Receiver {
  readonly hook: Delivery["hook"];
  readonly url: string;
  readonly installation: Installation | null;
}

export async function emit(
  engine: Engine,
  state: RepositoryState,
  event: WebhookEvent,
): Promise<void> {
  const receivers = [...appReceivers(engine, state, event), ...hookReceivers(engine, state, event)];
  if (receivers.length === 0) return;
  const links = linksOf(engine, state.repository);
  const payload = {
    ...(event.action === null ? {} : { action: event.action }),
    ...(await event.payload()),
    repository: repositoryPayload(engine, state.repository),
    ...(state.repository.ownerType === "Organization"
      ? { organization: organizationPayload(links, state.repository) }
      : {}),
    sender: userPayload(links, event.sender),
  };
  for (const receiver of receivers) queue(engine, state, event, receiver, payload);
}

function appReceivers(engine: Engine, state: RepositoryState, event: WebhookEvent): Receiver[] {
  const { repository } = state;
  return engine.state.installations.flatMap((installation) => {
    const app = engine.state.apps.find((one) => one.id === installation.appId);
    const covered =
      installation.account === repository.owner &&
      installation.suspendedAt === null &&
      (installation.repositorySelection === "all" ||
        installation.repositoryIds.includes(repository.id));
    if (app?.webhook?.active !== true || !covered) return [];
    const may = app.permissions[PERMISSION[event.name]] !== undefined;
    if (!may || !app.events.includes(event.name)) return [];
    return [{ hook: { kind: "app" as const, id: app.id }, url: app.webhook.url, installation }];
  });
}

function hookReceivers(engine: Engine, state: RepositoryState, event: WebhookEvent): Receiver[] {
  if (APP_ONLY.has(event.name)) return [];
  return engine.state.hooks
    .filter(
      (hook) =>
        hook.repositoryId === state.repository.id &&
        hook.active &&
        (hook.events.includes(event.name) || hook.events.includes("*")),
    )
    .map((hook) => ({
      hook: { kind: "repository" as const, id: hook.id },
      url: hook.url,
      installation: null,
    }));
}

function queue(
  engine: Engine,
  state: RepositoryState,
  event: WebhookEvent,
  receiver: Receiver,
  payload: Record<string, unknown>,
): void {
  const { installation } = receiver;
  const body = JSON.stringify(
    installation === null
      ? payload
      : {
          ...payload,
          installation: {
            id: installation.id,
            node_id: nodeId("A", "installation", installation.id),
          },
        },
  );
  const delivery: Delivery = {
    id: engine.nextId(),
    guid: randomUUID(),
    event: event.name,
    action: event.action,
    hook: receiver.hook,
    installationId: installation?.id ?? null,
    repositoryId: state.repository.id,
    url: receiver.url,
    body,
    dueAt: engine.stamp(),
    deliveredAt: null,
    statusCode: null,
    status: "pending",
    redelivery: false,
    duration: 0,
  };
  const log = engine.state.deliveries;
  log.push(delivery);
  applyFault(engine, delivery);
  const surplus = log.length - LOG_LENGTH;
  if (surplus > 0 && log.slice(0, surplus).every((one) => one.deliveredAt !== null))
    log.splice(0, surplus);
}

/** One fault acts on one delivery: the oldest that matches and is not used up. */
function applyFault(engine: Engine, delivery: Delivery): void {
  const fault = engine.state.webhookFaults.find(
    (one) => one.used < one.times && matches(one, delivery),
  );
  if (fault === undefined) return;
  fault.used += 1;
  switch (fault.kind) {
    case "lose":
      delivery.deliveredAt = engine.stamp();
      delivery.statusCode = 0;
      delivery.status = "lost by script";
      return;
    case "double":
      engine.state.deliveries.push({ ...delivery, id: engine.nextId() });
      return;
    case "delay":
      delivery.dueAt = timestampOf(engine.now() + fault.delayMs);
      return;
    case "reorder":
      keepBack(engine, fault, delivery);
  }
}

function matches(fault: WebhookFault, delivery: Delivery): boolean {
  return (
    fault.filter === null ||
    fault.filter === delivery.event ||
    fault.filter === `${delivery.event}.${delivery.action ?? ""}`
  );
}

/** The last of them lets all go, newest first: the log is the order in which the outbox sends. */
function keepBack(engine: Engine, fault: WebhookFault, delivery: Delivery): void {
  fault.kept.push(delivery.id);
  if (fault.kept.length < fault.times) return;
  const log = engine.state.deliveries;
  const kept = log.filter((one) => fault.kept.includes(one.id)).reverse();
  engine.state.deliveries = [...log.filter((one) => !fault.kept.includes(one.id)), ...kept];
  fault.kept = [];
}
