/** Cuts a stream of the Postgres protocol (version 3) into its messages. */

export interface Message {
  /** One letter; empty for the first message of a client, which has none. */
  readonly type: string;
  readonly bytes: Buffer;
  /** The statement of a `Query` or a `Parse`. */
  readonly text: string | null;
}

export class Messages {
  #rest = Buffer.alloc(0);
  #started: boolean;
  readonly #from: "client" | "server";

  constructor(from: "client" | "server") {
    this.#from = from;
    this.#started = from === "server";
  }

  /** The messages that `chunk` completes. */
  take(chunk: Buffer): Message[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const head = this.#started ? 1 : 0;
      if (this.#rest.length < head + 4) return messages;
      const end = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < end) return messages;
      const bytes = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      const type = head === 0 ? "" : String.fromCharCode(bytes[0] ?? 0);
      this.#started = true;
      messages.push({ type, bytes, text: this.#from === "client" ? statement(type, bytes) : null });
    }
  }
}

function statement(type: string, bytes: Buffer): string | null {
  if (type !== "Q" && type !== "P") return null;
  const [first = "", second = ""] = bytes.subarray(5).toString("utf8").split("\0", 2);
  // A `Parse` begins with the name of the prepared statement.
  return type === "Q" ? first : second;
}
