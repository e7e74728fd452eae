/** Faults scripted through the admin API. */
import type { Engine } from "./engine.js";
import type { Repository, WebhookFault } from "./model.js";
import type { AddWebhookFault } from "./requests.js";

export function addWebhookFault(engine: Engine, ask: AddWebhookFault): WebhookFault {
  const fault: WebhookFault = {
    id: engine.nextId(),
    kind: ask.kind,
    filter: ask.filter ?? null,
    times: ask.times ?? (ask.kind === "reorder" ? 2 : 1),
    delayMs: ask.delayMs ?? 0,
    used: 0,
    kept: [],
  };
  engine.state.webhookFaults.push(fault);
  return fault;
}

export function clearWebhookFaults(engine: Engine): void {
  engine.state.webhookFaults = [];
}

export function writeWrongTree(engine: Engine, repository: Repository): void {
  engine.repositoryState(repository).wrongTree = true;
}
