/** What REST answers when it will not: GitHub's statuses and texts. */
import type { Principal } from "../world/model.js";
import { Refusal } from "../world/refusal.js";
import { type Answer, json } from "./http/answer.js";
import { BadRequest } from "./http/incoming.js";
import type { Budget } from "./limits.js";

const DOCS = "https://docs.github.com/rest";

export function message(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Answer {
  return json(status, { message: text, documentation_url: DOCS, status: String(status) }, headers);
}

export function notFound(): Answer {
  return message(404, "Not Found");
}

export function badCredentials(): Answer {
  return message(401, "Bad credentials");
}

export function requiresAuthentication(): Answer {
  return message(401, "Requires authentication");
}

/** Of an App's token that lacks a permission; the header names what would do (github-facts 2.8). */
export function notAccessible(permission: string, level: string): Answer {
  return message(403, "Resource not accessible by integration", {
    "x-accepted-github-permissions": `${permission}=${level}`,
  });
}

export function rateLimited(principal: Principal | null, budget: Budget): Answer {
  const whose = principal === null ? "127.0.0.1" : `${principal.kind} ID ${idOf(principal)}`;
  return message(403, `API rate limit exceeded for ${whose}.`, {
    "x-ratelimit-resource": budget.resource,
  });
}

function idOf(principal: Principal): number {
  return principal.kind === "installation" ? principal.installation.id : principal.actor.id;
}

export function secondaryLimited(retryAfter: number): Answer {
  return message(
    403,
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    { "retry-after": String(retryAfter) },
  );
}

/** The answer for something thrown; null for a bug of ours. */
export function refusedAnswer(error: unknown): Answer | null {
  if (error instanceof BadRequest) return message(400, error.message);
  if (error instanceof ValidationFailed)
    return json(422, {
      message: "Validation Failed",
      errors: [{ resource: error.resource, code: "custom", message: error.message }],
      documentation_url: DOCS,
      status: "422",
    });
  if (!(error instanceof Refusal)) return null;
  return error.type === "NOT_FOUND" ? notFound() : message(error.status, error.message);
}

/** A refusal of the world where REST wraps its text. */
export class ValidationFailed extends Error {
  override readonly name = "ValidationFailed";

  constructor(
    readonly resource: string,
    text: string,
  ) {
    super(text);
  }
}
