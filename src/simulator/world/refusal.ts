/** What the simulated GitHub answers when it will not do something; the wire prints it. */

export type RefusalType = "UNPROCESSABLE" | "NOT_FOUND" | "FORBIDDEN" | "CONFLICT" | "NOT_ALLOWED";

const HTTP_STATUS = {
  UNPROCESSABLE: 422,
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  CONFLICT: 409,
  NOT_ALLOWED: 405,
} as const satisfies Record<RefusalType, number>;

/** `type` is the `errors[].type` of GraphQL, `status` what REST answers. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly type: RefusalType,
    message: string,
  ) {
    super(message);
  }

  get status(): number {
    return HTTP_STATUS[this.type];
  }
}

export function unprocessable(message: string): Refusal {
  return new Refusal("UNPROCESSABLE", message);
}

export function notFound(what: string): Refusal {
  return new Refusal("NOT_FOUND", `Could not resolve to ${what}.`);
}
