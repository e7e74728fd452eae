/** Sends webhooks, outside the world's one-at-a-time: whoever receives one may ask the world things. */
import { createHmac } from "node:crypto";

import { timestampOf } from "../clock.js";
import type { Engine } from "./engine.js";
import type { Delivery } from "./model.js";
import type { WorldOptions } from "./requests.js";

export class Outbox {
  readonly #engine: Engine;
  readonly #deliver: WorldOptions["deliver"];
  /** Deliveries handed to the clock or the wire. */
  readonly #started = new Set<number>();
  readonly #cancellations = new Map<number, () => void>();
  /** Last delivery of each hook: one hook receives one at a time, in order. */
  readonly #tails = new Map<string, Promise<void>>();

  constructor(engine: Engine, deliver: WorldOptions["deliver"]) {
    this.#engine = engine;
    this.#deliver = deliver;
  }

  /** Starts every delivery that is neither kept back nor started. */
  flush(): void {
    const kept = new Set(this.#engine.state.webhookFaults.flatMap((fault) => fault.kept));
    for (const delivery of this.#engine.state.deliveries) {
      if (delivery.deliveredAt !== null || this.#started.has(delivery.id)) continue;
      if (!kept.has(delivery.id)) this.#start(delivery);
    }
  }

  /** Deliveries that wait for a real clock. */
  waiting(): string[] {
    if (this.#engine.clock.kind === "stepped") return [];
    return [...this.#cancellations.keys()].map((id) => `delayed delivery ${id}`);
  }

  close(): void {
    for (const cancel of this.#cancellations.values()) cancel();
    this.#cancellations.clear();
  }

  #start(delivery: Delivery): void {
    this.#started.add(delivery.id);
    const due = Date.parse(delivery.dueAt);
    if (due <= this.#engine.now()) {
      this.#send(delivery);
      return;
    }
    const cancel = this.#engine.clock.schedule(due, () => {
      this.#cancellations.delete(delivery.id);
      this.#send(delivery);
    });
    this.#cancellations.set(delivery.id, cancel);
  }

  #send(delivery: Delivery): void {
    const hook = `${delivery.hook.kind}:${delivery.hook.id}`;
    const before = this.#tails.get(hook) ?? Promise.resolve();
    const name = delivery.action === null ? delivery.event : `${delivery.event}.${delivery.action}`;
    const sent = this.#engine.track(
      `delivery of ${name}`,
      before.then(() => this.#attempt(delivery)),
    );
    this.#tails.set(hook, sent);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const from = this.#engine.now();
    try {
      const { status } = await this.#deliver(delivery, headersOf(this.#engine, delivery));
      delivery.statusCode = status;
      delivery.status = status >= 200 && status < 300 ? "OK" : `Invalid HTTP Response: ${status}`;
    } catch (error) {
      delivery.statusCode = 502;
      delivery.status = error instanceof Error ? error.message : String(error);
    }
    const now = this.#engine.now();
    delivery.deliveredAt = timestampOf(now);
    delivery.duration = (now - from) / 1000;
    this.#started.delete(delivery.id);
    this.#engine.saveSoon();
  }
}

/** Headers of github-facts 3.4; the signature is over the exact bytes of the body. */
function headersOf(engine: Engine, delivery: Delivery): Record<string, string> {
  const { hook } = delivery;
  const secret =
    hook.kind === "app"
      ? engine.state.apps.find((app) => app.id === hook.id)?.webhook?.secret
      : engine.state.hooks.find((one) => one.id === hook.id)?.secret;
  const target = hook.kind === "app" ? hook.id : delivery.repositoryId;
  return {
    "Content-Type": "application/json",
    "User-Agent": "GitHub-Hookshot/simulator",
    "X-GitHub-Event": delivery.event,
    "X-GitHub-Delivery": delivery.guid,
    "X-GitHub-Hook-ID": String(hook.id),
    "X-GitHub-Hook-Installation-Target-ID": String(target),
    "X-GitHub-Hook-Installation-Target-Type": hook.kind === "app" ? "integration" : "repository",
    ...(secret === undefined || secret === ""
      ? {}
      : {
          "X-Hub-Signature-256": `sha256=${createHmac("sha256", secret).update(delivery.body).digest("hex")}`,
        }),
  };
}
