/** What goes back to a client. */

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

type Headers = Readonly<Record<string, string>>;

export function json(status: number, value: unknown, headers: Headers = {}): Answer {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

export function text(status: number, body: string, headers: Headers = {}): Answer {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...headers },
    body: Buffer.from(body),
  };
}

export function html(status: number, body: string): Answer {
  return text(status, body, { "content-type": "text/html; charset=utf-8" });
}

export function empty(status: number, headers: Headers = {}): Answer {
  return { status, headers, body: Buffer.alloc(0) };
}

export function withHeaders(answer: Answer, headers: Headers): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
