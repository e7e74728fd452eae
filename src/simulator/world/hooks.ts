/** Repository webhooks, and redelivery of what any hook was sent. */
import type { Engine } from "./engine.js";
import type { Delivery, Repository, RepositoryHook } from "./model.js";
import { notFound } from "./refusal.js";
import type { CreateHook } from "./requests.js";

export function list(engine: Engine, repository: Repository): RepositoryHook[] {
  return engine.state.hooks.filter((hook) => hook.repositoryId === repository.id);
}

export function create(engine: Engine, repository: Repository, ask: CreateHook): RepositoryHook {
  const hook: RepositoryHook = {
    id: engine.nextId(),
    repositoryId: repository.id,
    url: ask.url,
    secret: ask.secret,
    events: [...ask.events],
    active: ask.active ?? true,
  };
  engine.state.hooks.push(hook);
  return hook;
}

export function remove(engine: Engine, id: number): void {
  const index = engine.state.hooks.findIndex((hook) => hook.id === id);
  if (index < 0) throw notFound(`a hook with the id ${id}`);
  engine.state.hooks.splice(index, 1);
}

/** Same GUID and bytes, to where the hook points now. */
export function redeliver(engine: Engine, deliveryId: number): Delivery {
  const old = engine.state.deliveries.find((one) => one.id === deliveryId);
  if (old === undefined) throw notFound(`a delivery with the id ${deliveryId}`);
  const { hook } = old;
  const url =
    hook.kind === "app"
      ? engine.state.apps.find((app) => app.id === hook.id)?.webhook?.url
      : engine.state.hooks.find((one) => one.id === hook.id)?.url;
  const delivery: Delivery = {
    ...old,
    id: engine.nextId(),
    url: url ?? old.url,
    dueAt: engine.stamp(),
    deliveredAt: null,
    statusCode: null,
    status: "pending",
    redelivery: true,
    duration: 0,
  };
  engine.state.deliveries.push(delivery);
  return delivery;
}
