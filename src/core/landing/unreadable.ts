/** What is said while GitHub cannot be read: the failed read, and its repair (A7.3, A7.5). */
import { catalogue } from "../refusals.js";

/** `what` was to be read; `message` is GitHub's own, with the place of the failure. */
export function unreadableWhy(what: string, message: string, accessRefused: boolean): string {
  const repair = accessRefused
    ? catalogue.github_access_refused.next
    : "It is read again every half minute; `yoke doctor` checks the credential and GitHub.";
  return `waiting: ${what} could not be read (${message}). ${repair}`;
}
