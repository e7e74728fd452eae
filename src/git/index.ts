/** The git adapter: plain `git` behind the contract of `port.ts`. */
import { proveCarried } from "./carrying.js";
import { readLane } from "./lane.js";
import { GateFetches } from "./gate-fetches.js";
import type { Git } from "./port.js";
import { deleteRemoteBranch, pushUrls } from "./remote-branch.js";
import { removeLane } from "./remove-lane.js";
import { gitVersion, requireGit } from "./version.js";

export { GitError } from "./error.js";
export { atLeast, MINIMUM_GIT, parseGitVersion } from "./version.js";

/**
 * Git as it is on PATH. `signal` cancels what runs, with its whole process group; a cancelled call
 * throws a GitError of kind `cancelled`. Every call but `version` throws a GitError of kind
 * `unusable` when git is older than `MINIMUM_GIT`. Landings that close out together share a fetch: keep the adapter.
 */
export function createGit(options: { readonly signal?: AbortSignal | undefined } = {}): Git {
  let supported: Promise<void> | undefined;
  const fetches = new GateFetches();
  const checked = async <T>(use: () => Promise<T>): Promise<T> => {
    supported ??= requireGit(options.signal);
    try {
      await supported;
    } catch (error) {
      // A git that is installed meanwhile is found by the next call.
      supported = undefined;
      throw error;
    }
    return use();
  };
  return {
    version: () => gitVersion(options.signal),
    readLane: (path) => checked(() => readLane(path, options)),
    proveCarried: (ask) => checked(() => proveCarried(ask, { ...options, fetches })),
    pushUrls: (ask) => checked(() => pushUrls(ask, options)),
    deleteRemoteBranch: (ask) => checked(() => deleteRemoteBranch(ask, options)),
    removeLane: (ask) => checked(() => removeLane(ask, options)),
  };
}
