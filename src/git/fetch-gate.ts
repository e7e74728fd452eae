/** Bringing the gate branch of a remote up to date in the local repository. */
import { randomInt } from "node:crypto";

import { withCredential } from "./credential.js";
import { GitError } from "./error.js";
import { commitOf, branchRef, line, trackingRef, type Where } from "./names.js";
import type { GitCredential } from "./port.js";
import { runGit } from "./run.js";

const FETCH_TIMEOUT_MS = 300_000;
const ATTEMPTS = 5;

/**
 * Git takes a lock file beside a ref to move it, and two lanes of one repository may fetch at the
 * same moment. Real words of git 2.39 and 2.47: `error: cannot lock ref
 * 'refs/remotes/origin/main': is at 1f… but expected 0a…`, `Unable to create
 * '…/refs/remotes/origin/main.lock': File exists.`
 */
export const LOST_A_RACE = /cannot lock ref|Unable to create '[^']*\.lock'/;

/**
 * Fetches `branch` of `remote` to its remote-tracking ref and nothing else, and answers the full
 * name of that ref. The remote is only read; history is never cut, forced updates are taken as
 * they are: the remote says what landed.
 *
 * @throws GitError in git's own words.
 */
export async function fetchGate(
  ask: {
    readonly remote: string;
    readonly branch: string;
    readonly credential: GitCredential | null;
  },
  where: Where,
): Promise<string> {
  const source = await branchRef(ask.branch, where);
  const target = await trackingRef(ask.remote, ask.branch, where);
  const url = await remoteUrl(ask.remote, where);
  const args = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-prune",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    "--no-write-fetch-head",
    "--no-show-forced-updates",
    // No other remote-tracking ref moves, whatever the remote's configured refspecs are.
    "--refmap=",
    "--end-of-options",
    ask.remote,
    `+${source}:${target}`,
  ];
  await withCredential(ask.credential, url, async (options) => {
    await afterOtherFetches(() =>
      runGit(args, { ...where, ...options, timeoutMs: FETCH_TIMEOUT_MS }),
    );
  });
  return target;
}

/** The URL git will fetch from, `insteadOf` applied. A remote must be configured: a name is no URL. */
async function remoteUrl(remote: string, where: Where): Promise<string> {
  const args = ["remote", "get-url", "--end-of-options", remote];
  return line((await runGit(args, where)).stdout);
}

/** Repeats what lost a race for a ref's lock, a few times, after a short and uneven pause. */
async function afterOtherFetches<T>(fetch: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetch();
    } catch (error) {
      const again = error instanceof GitError && LOST_A_RACE.test(error.stderr);
      if (!again || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, randomInt(20, 100) * attempt));
    }
  }
}

/** The commit of the local gate branch: the gate branch itself where there is no remote (A11.2). */
export async function localGate(branch: string, where: Where): Promise<string | null> {
  return commitOf(await branchRef(branch, where), where);
}
