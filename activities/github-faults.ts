/** How a GitHub fault leaves an activity: retried by Temporal as GitHub says, or told to the workflow. */
import { ApplicationFailure } from "@temporalio/activity";
import { refuse, type Refusal } from "../src/core/refusals.js";
import { GitHubError, type GitHubFault } from "../src/github/port.js";

/** The type names of failures that cross into workflows. */
export const faultType = {
  rateLimited: "github_rate_limited",
  noAccess: "github_access_refused",
  unavailable: "github_unavailable",
} as const;

/** The fault of a GitHub call, null for any other error (which stays a bug). */
export function githubFault(error: unknown): GitHubFault | null {
  return error instanceof GitHubError ? error.fault : null;
}

/**
 * The Temporal failure of a failed read: rate limits carry the next-retry delay (A15.3), lost access is not
 * retried (A5.10), the rest is retried by the profile.
 */
export function readFailure(error: unknown): unknown {
  const fault = githubFault(error);
  if (fault === null) return error;
  switch (fault.kind) {
    case "rate_limited":
      return ApplicationFailure.create({
        type: faultType.rateLimited,
        message: fault.message,
        nextRetryDelay: fault.retryAfterMs,
      });
    case "no_access":
      return ApplicationFailure.nonRetryable(fault.message, faultType.noAccess);
    case "refused":
      return ApplicationFailure.nonRetryable(fault.message, faultType.unavailable);
    case "unavailable":
    case "uncertain":
      return ApplicationFailure.retryable(fault.message, faultType.unavailable);
  }
}

/** The refusal a person sees when GitHub could not be asked. */
export function faultRefusal(fault: GitHubFault): Refusal {
  switch (fault.kind) {
    case "rate_limited":
      return refuse("github_rate_limited", fault.message, {
        seconds: String(Math.ceil(fault.retryAfterMs / 1000)),
      });
    case "no_access":
      return refuse("github_access_refused", fault.message);
    case "refused":
      return refuse("arming_refused", fault.message);
    case "unavailable":
    case "uncertain":
      return refuse("github_unavailable", fault.message);
  }
}
