/** The holder's end of the wake route `http`: receives notices, each as often as it is sent. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Tripwire } from "./tripwire.js";

export interface HolderInbox {
  readonly url: string;
  /** Idempotency keys as they arrived; a holder acts once on each. */
  readonly received: readonly string[];
  close(): Promise<void>;
}

export async function holderInbox(tripwire: Tripwire): Promise<HolderInbox> {
  const received: string[] = [];
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { key, kind } = JSON.parse(body) as { readonly key: string; readonly kind: string };
    const sent = request.headers["idempotency-key"];
    if (sent !== key) throw new Error(`the key is ${key}, its header says ${String(sent)}`);
    const reply = await tripwire.pass("holder", `notice ${kind}`, async () => {
      received.push(key);
    });
    if (reply === "silence") response.destroy();
    else response.writeHead(reply === "answer" ? 204 : 500).end();
  }
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notices`,
    received,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
