/** The full name of a branch: a short one may name a tag too. */
export function branchRef(branch: string): string {
  return `refs/heads/${branch}`;
}
