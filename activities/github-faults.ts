/** How a failed GitHub read leaves an activity: retried by Temporal as GitHub says, or told to the workflow. */
import { ApplicationFailure } from "@temporalio/activity";
import { githubFault } from "../src/core/github-fault.js";

/** The type names of failures that cross into workflows. */
const faultType = {
  rateLimited: "github_rate_limited",
  noAccess: "github_access_refused",
  unavailable: "github_unavailable",
} as const;

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
