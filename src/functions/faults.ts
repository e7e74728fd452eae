/** What breaks outside yoke, as refusals a caller can act on. Anything unknown here is a bug. */
import { isUnavailable } from "../../db/client.js";
import { SecretError } from "../config/secret.js";
import { refuse, type Refusal } from "../core/refusals.js";
import type { GitHubFault } from "../github/port.js";

/** Null: nobody foresaw this error. */
export function outsideRefusal(error: unknown): Refusal | null {
  if (isUnavailable(error)) {
    return refuse("database_unavailable", "Postgres did not answer, or went away while it did.");
  }
  if (temporalIsGone(error)) {
    return refuse("temporal_unavailable", "The Temporal server cannot be reached.");
  }
  const fault = githubFault(error);
  if (fault !== null) return githubRefusal(fault);
  if (error instanceof SecretError) {
    const source =
      /\b(?:variable|secret file|secret) (\S+)/.exec(error.message)?.[1] ?? "the secret";
    return refuse("credential_missing", `${sentence(error.message)}.`, { source });
  }
  return null;
}

/** The fault of a GitHub call. Told by its shape: functions know the port's types and not its code. */
export function githubFault(error: unknown): GitHubFault | null {
  if (!(error instanceof Error) || error.name !== "GitHubError" || !("fault" in error)) return null;
  return error.fault as GitHubFault;
}

export function githubRefusal(fault: GitHubFault): Refusal {
  switch (fault.kind) {
    case "rate_limited":
      return refuse("github_rate_limited", fault.message, {
        seconds: String(Math.ceil(fault.retryAfterMs / 1000)),
      });
    case "no_access":
      return refuse("github_access_refused", fault.message);
    case "refused":
    case "unavailable":
    case "uncertain":
      return refuse("github_unavailable", fault.message);
  }
}

/** gRPC `UNAVAILABLE`, on the error or on what it was caused by (the Temporal client wraps it). */
function temporalIsGone(error: unknown): boolean {
  const seen = new Set<unknown>();
  let link = error;
  while (link instanceof Error && !seen.has(link)) {
    seen.add(link);
    if ("code" in link && link.code === 14 && "details" in link) return true;
    link = link.cause;
  }
  return false;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
