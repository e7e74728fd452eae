/**
 * Deleting a lane's branch on GitHub (A16.6). Only after proof of landing, only at the commit yoke recorded, only in the
 * project's own repository, and never while an open pull request needs it: deleting the base of one closes it for good
 * (case A23), deleting the head of one closes it unmerged (case A43).
 */
import type { Project } from "../records.js";

/** The branch as GitHub shows it now. */
export interface BranchUse {
  /** Null when it is gone. */
  readonly head: string | null;
  /** Numbers of open pull requests that merge into it, and of those that merge it. */
  readonly baseOf: readonly number[];
  readonly headOf: readonly number[];
}

export interface BranchToDelete {
  readonly project: Pick<Project, "owner" | "name" | "apiUrl" | "gateBranch">;
  /** As they were recorded with the landing. */
  readonly branch: string;
  readonly oid: string;
  /** A receipt of exactly this commit was closed out. */
  readonly proved: boolean;
  /** Where a push to the lane's remote goes. */
  readonly urls: readonly string[];
}

export type BranchRemoval =
  | { readonly deleted: true; readonly why: string }
  | { readonly deleted: false; readonly why: string; readonly next: string | null };

const kept = (why: string, next: string | null): BranchRemoval => ({ deleted: false, why, next });

/** What stands against it before GitHub is asked; null: nothing. */
export function keptUnread(of: BranchToDelete): BranchRemoval | null {
  const { project, branch, urls } = of;
  if (!of.proved) return kept("no receipt proves that this commit landed", null);
  if (branch === project.gateBranch) return kept(`\`${branch}\` is the gate branch`, null);
  const [url, ...more] = urls;
  if (url !== undefined && more.length === 0 && isRepositoryOf(project, url)) return null;
  return kept(
    `a push goes to ${urls.join(", ") || "no remote"}, not to ${project.owner}/${project.name} alone`,
    `Delete \`${branch}\` by hand where it should go.`,
  );
}

/** What the reading says: it is gone, it is kept, or (null) it may be deleted. */
export function keptRead({ branch, oid }: BranchToDelete, use: BranchUse): BranchRemoval | null {
  if (use.head === null) return { deleted: true, why: "GitHub has no such branch any more" };
  if (use.head !== oid) {
    return kept(
      `\`${branch}\` is at ${use.head} on GitHub; ${oid} landed`,
      "Land the newer commits as an item of their own, or delete the branch by hand.",
    );
  }
  const needed = [...use.baseOf, ...use.headOf].map((number) => `#${number}`).join(", ");
  if (needed === "") return null;
  return kept(
    `open pull requests need \`${branch}\`: ${needed}`,
    `Give them another branch or close them, then delete \`${branch}\` by hand.`,
  );
}

/** Whether a URL of git's, http, ssh or `host:path`, is of the project's repository on the project's GitHub. */
export function isRepositoryOf(
  { owner, name, apiUrl }: Pick<Project, "owner" | "name" | "apiUrl">,
  url: string,
): boolean {
  const match =
    /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?([^/:]+)(?::\d+)?[/:]+([^/]+)\/([^/]+?)(?:\.git)?\/?$/i.exec(url);
  if (match === null) return false;
  const [, host = "", ...repository] = match.map((part) => part.toLowerCase());
  const web = new URL(apiUrl).hostname.toLowerCase().replace(/^api\./, "");
  const same = [owner, name].map((part) => part.toLowerCase()).join("/") === repository.join("/");
  return same && (host === web || host === `ssh.${web}`);
}
