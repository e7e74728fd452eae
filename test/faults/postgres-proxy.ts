/** Stands between the worker and Postgres and sees every write: a transaction's commit, or a statement that is its own. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { Messages, type Message } from "./postgres-messages.js";
import type { Tripwire } from "./tripwire.js";

export interface PostgresProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on loopback for the database of `url`. */
export async function postgresProxy(url: string, tripwire: Tripwire): Promise<PostgresProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      socket.on("error", () => undefined);
    }
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => client.destroy());
    new Relay(client, upstream, tripwire).start();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxied = new URL(url);
  proxied.hostname = "127.0.0.1";
  proxied.port = String((server.address() as AddressInfo).port);
  return {
    url: proxied.href,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** One connection. The client sends one request at a time: a query, or everything from its parsing to `Sync`. */
class Relay {
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #tripwire: Tripwire;
  #request: Message[] = [];
  #inTransaction = false;
  #written = new Set<string>();
  /** Answers kept back while a step is under way, and who waits for the last of them. */
  #kept: { readonly messages: Message[]; readonly complete: () => void } | null = null;

  constructor(client: Socket, upstream: Socket, tripwire: Tripwire) {
    this.#client = client;
    this.#upstream = upstream;
    this.#tripwire = tripwire;
  }

  start(): void {
    const requests = new Messages("client");
    const answers = new Messages("server");
    this.#client.on("data", (chunk: Buffer) => {
      for (const message of requests.take(chunk)) this.#asked(message);
    });
    // Postgres is gone: no answer comes to what it was asked.
    this.#upstream.once("close", () => this.#kept?.complete());
    this.#upstream.on("data", (chunk: Buffer) => {
      for (const message of answers.take(chunk)) this.#answered(message);
    });
  }

  #asked(message: Message): void {
    this.#request.push(message);
    // Parse, Bind, Describe and Execute are one request with the Sync that follows them.
    if (["P", "B", "D", "E"].includes(message.type)) return;
    const request = this.#request;
    this.#request = [];
    const name = this.#write(request.find(({ text }) => text !== null)?.text ?? "");
    if (name === null) this.#forward(request);
    else void this.#step(name, request);
  }

  async #step(name: string, request: readonly Message[]): Promise<void> {
    const messages: Message[] = [];
    const reply = await this.#tripwire.pass("Postgres", name, () => {
      const complete = new Promise<void>((resolve) => {
        this.#kept = { messages, complete: resolve };
      });
      this.#forward(request);
      return complete;
    });
    this.#kept = null;
    if (reply === "answer") for (const { bytes } of messages) this.#client.write(bytes);
    else this.#upstream.destroy();
  }

  #forward(request: readonly Message[]): void {
    for (const { bytes } of request) this.#upstream.write(bytes);
  }

  #answered(message: Message): void {
    if (this.#kept === null) {
      this.#client.write(message.bytes);
      return;
    }
    this.#kept.messages.push(message);
    // ReadyForQuery: what was asked has happened.
    if (message.type === "Z") this.#kept.complete();
  }

  /** The name of a statement after which something is stored; null for any other one. */
  #write(statement: string): string | null {
    const table = /^\s*(?:insert into|update|delete from)\s+"(\w+)"/i.exec(statement)?.[1];
    if (table !== undefined && !this.#inTransaction) return `write ${table}`;
    if (table !== undefined) this.#written.add(table);
    const word = /^\s*(begin|commit|rollback)\b(?!\s+to)/i.exec(statement)?.[1]?.toLowerCase();
    if (word === undefined) return null;
    const written = [...this.#written].join(", ");
    this.#inTransaction = word === "begin";
    this.#written = new Set();
    return word === "commit" && written !== "" ? `commit ${written}` : null;
  }
}
