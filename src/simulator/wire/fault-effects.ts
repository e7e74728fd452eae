/** What a scripted fault does to one request. */
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import type { Fault, Faults } from "./faults.js";
import type { Exchange, Handled, Handling } from "./handling.js";
import { type Answer, json, text } from "./http/answer.js";

/** `cut`: the connection breaks, after the first half of an answer where there is one. */
export type Outcome =
  | { readonly kind: "handled"; readonly handled: Handled }
  | { readonly kind: "cut"; readonly half: Answer | null };

/** Answers a request, with what the script does before, instead and after. */
export async function withFault(
  handling: Handling,
  exchange: Exchange,
  faults: Faults,
): Promise<Outcome> {
  const script = exchange.fault?.script ?? {};
  if (script.delayMs !== undefined) await delay(script.delayMs);
  if (script.cut === "before") return { kind: "cut", half: null };
  if (script.hang === "before" && !(await released(exchange, faults)))
    return { kind: "cut", half: null };
  if (script.status !== undefined && script.effect !== true)
    return { kind: "handled", handled: scripted(exchange.fault, script.status) };
  const handled = await handling.answer(exchange);
  if (script.cut === "after") return { kind: "cut", half: null };
  if (script.hang === "after" && !(await released(exchange, faults)))
    return { kind: "cut", half: null };
  if (script.status !== undefined)
    return { kind: "handled", handled: scripted(exchange.fault, script.status) };
  if (script.cut === "during" && handled !== "streamed") return { kind: "cut", half: handled };
  return { kind: "handled", handled };
}

/** Hangs; false when the client has gone, or the simulator stops, before the fault is released. */
async function released({ fault, response }: Exchange, faults: Faults): Promise<boolean> {
  const released = fault === null ? null : faults.hang(fault);
  if (response.destroyed) return false;
  return Promise.race([
    once(response, "close").then(() => false),
    ...(released === null ? [] : [released.then(() => true)]),
  ]);
}

function scripted(fault: Fault | null, status: number): Answer {
  const { body, headers = {} } = fault?.script ?? {};
  if (typeof body === "string") return text(status, body, headers);
  return json(status, body ?? { message: `Scripted ${status}` }, headers);
}
