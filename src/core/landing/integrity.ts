/**
 * Integrity of a landing (A16.1): what came onto the gate branch must be the clean merge of where the branch stood and
 * the candidate. A queue once wrote trees that undid other changes, while every check stayed green (case A34).
 */

/** How the candidate came onto the gate branch. */
export type LandingShape = "merge" | "fast_forward" | "squash" | "rebase";

/** What git found when it compared the landed commit with the clean merge. */
export type TreeComparison =
  /** The landed commit is the candidate itself: nothing was merged, so nothing can be wrong with it. */
  | { readonly found: "candidate_itself" }
  | { readonly found: "equal" }
  | { readonly found: "differs"; readonly onto: string; readonly paths: readonly string[] }
  /** The two sides have no clean merge: somebody resolved a conflict, which no computation can judge. */
  | { readonly found: "conflict"; readonly onto: string; readonly paths: readonly string[] }
  /** More than two parents: GitHub makes no such commit. */
  | { readonly found: "octopus" }
  /** The first commit of a history has nothing it was merged onto. */
  | { readonly found: "no_parent" };

export type Integrity =
  | { readonly is: "intact" }
  | { readonly is: "not_checked"; readonly why: string }
  | {
      readonly is: "wrong_tree";
      /** Where the branch stood before, and the paths that are not as the clean merge has them. */
      readonly onto: string;
      readonly paths: readonly string[];
    };

/** A wrong tree that was found, kept with the landing. */
export interface WrongTree {
  readonly commit: string;
  readonly onto: string;
  readonly paths: readonly string[];
}

/** What a comparison means. Only a tree that can be computed and is not there is wrong. */
export function integrityOf(comparison: TreeComparison): Integrity {
  switch (comparison.found) {
    case "candidate_itself":
    case "equal":
      return { is: "intact" };
    case "differs":
      return { is: "wrong_tree", onto: comparison.onto, paths: comparison.paths };
    case "conflict":
      return {
        is: "not_checked",
        why: `git finds no clean merge onto ${comparison.onto}: ${somePaths(comparison.paths)} conflict, so somebody resolved them`,
      };
    case "octopus":
      return { is: "not_checked", why: "the landed commit has more than two parents" };
    case "no_parent":
      return { is: "not_checked", why: "the landed commit is the first of its history" };
  }
}

const shownPaths = 20;

/** Paths in a sentence; the rest is counted. */
export function somePaths(paths: readonly string[]): string {
  const more = paths.length - shownPaths;
  const named = paths.slice(0, shownPaths).join(", ");
  return more > 0 ? `${named} and ${more} more` : named;
}
