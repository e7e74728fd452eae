/** What can go wrong with a call to GitHub, and the refusal a person sees of it. */
import { refuse, type Refusal, type RefusalCode } from "./refusals.js";

/** What went wrong, in kinds a caller can act on. Never classified by message outside `refusal-text.ts`. */
export type GitHubFault =
  /** Nothing was sent, or GitHub answered that nothing was done. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly type: string | null;
      readonly meaning: RefusalMeaning;
      readonly message: string;
    }
  /** Credential invalid, installation or repository gone, or rights missing (A5.10, A7.5). */
  | { readonly kind: "no_access"; readonly status: number; readonly message: string }
  /** Primary or secondary limit; try again after this many milliseconds (A15.3). */
  | { readonly kind: "rate_limited"; readonly retryAfterMs: number; readonly message: string }
  /** A read failed for now: 5xx, cut, slow, unreachable, or a partial answer. */
  | { readonly kind: "unavailable"; readonly message: string }
  /** A write's reply was lost or was a 5xx: it may have happened. Read before writing again (case A31). */
  | { readonly kind: "uncertain"; readonly message: string };

/**
 * Meanings of a refused mutation (github-facts 1.3). A moved head has none: GitHub's text for it is not known, so
 * after `unknown_refusal` compare the head that is read next with the expected one.
 */
export type RefusalMeaning =
  | "already_clean"
  | "already_queued"
  | "not_ready"
  | "auto_merge_not_allowed"
  /** An open pull request of this branch into that base exists: read it instead. */
  | "pull_request_exists"
  /** The branch adds nothing to its base. */
  | "nothing_to_merge"
  | "unknown_refusal";

/** The fault of a failed GitHub call, told by its shape; null for any other error (which stays a bug). */
export function githubFault(error: unknown): GitHubFault | null {
  if (!(error instanceof Error) || error.name !== "GitHubError" || !("fault" in error)) return null;
  return error.fault as GitHubFault;
}

/** `refused` is what a "no" of GitHub itself means where it was asked. */
export function githubRefusal(fault: GitHubFault, refused: RefusalCode): Refusal {
  switch (fault.kind) {
    case "rate_limited":
      return refuse("github_rate_limited", fault.message, {
        seconds: String(Math.ceil(fault.retryAfterMs / 1000)),
      });
    case "no_access":
      return refuse("github_access_refused", fault.message);
    case "refused":
      return refuse(refused, fault.message);
    case "unavailable":
    case "uncertain":
      return refuse("github_unavailable", fault.message);
  }
}
