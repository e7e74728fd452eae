/** One request, with its body read when somebody asks for it. */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import { Refusal } from "../../world/refusal.js";

/** GitHub refuses larger ones of its APIs; pushes are streamed and have no limit. */
const LONGEST_BODY = 25 * 1024 * 1024;

const unzip = promisify(gunzip);

export class Incoming {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly message: IncomingMessage;
  #body: Promise<Buffer> | null = null;

  constructor(message: IncomingMessage) {
    this.message = message;
    this.method = message.method ?? "GET";
    const target = message.url ?? "/";
    const mark = target.indexOf("?");
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1));
  }

  header(name: string): string | undefined {
    const value = this.message.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  body(): Promise<Buffer> {
    this.#body ??= this.#read();
    return this.#body;
  }

  /** The body as JSON; `{}` when there is none. @throws BadRequest when it is not JSON. */
  async json(): Promise<unknown> {
    const body = await this.body();
    if (body.length === 0) return {};
    try {
      return JSON.parse(body.toString("utf8")) as unknown;
    } catch {
      throw new BadRequest("Problems parsing JSON");
    }
  }

  async #read(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.message as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > LONGEST_BODY) throw new Refusal("UNPROCESSABLE", "The request is too large.");
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    return this.header("content-encoding") === "gzip" ? unzip(body) : body;
  }
}

/** The request itself is malformed: HTTP 400. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
}
