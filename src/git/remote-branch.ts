/** Deleting a branch of a remote, at exactly one commit (A16.6). */
import { withCredential } from "./credential.js";
import { branchRef, line, requireObjectId, type Where } from "./names.js";
import type { GitCredential } from "./port.js";
import { runGit } from "./run.js";

const PUSH_TIMEOUT_MS = 120_000;

/** Every URL a push to the remote goes to. @throws GitError when there is no such remote. */
export async function pushUrls(
  ask: { readonly repository: string; readonly remote: string },
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly string[]> {
  const args = ["remote", "get-url", "--push", "--all", "--end-of-options", ask.remote];
  const { stdout } = await runGit(args, { cwd: ask.repository, signal: options.signal });
  return line(stdout).split("\n");
}

/**
 * Compare-and-delete: the remote keeps the branch unless it is at `oid`. A repeat is refused by the remote, since the
 * branch is gone. @throws GitError in git's own words; then it may have happened all the same.
 */
export async function deleteRemoteBranch(
  ask: {
    readonly repository: string;
    readonly remote: string;
    readonly branch: string;
    readonly oid: string;
    readonly credential: GitCredential | null;
  },
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const where: Where = { cwd: ask.repository, signal: options.signal };
  const ref = await branchRef(ask.branch, where);
  const oid = requireObjectId("commit of the branch", ask.oid);
  const [url = ""] = await pushUrls(ask, options);
  const lease = `--force-with-lease=${ref}:${oid}`;
  const args = ["push", "--quiet", "--no-verify", "--no-follow-tags", lease, "--end-of-options"];
  await withCredential(ask.credential, url, async (credential) => {
    await runGit([...args, ask.remote, `:${ref}`], {
      ...where,
      ...credential,
      timeoutMs: PUSH_TIMEOUT_MS,
    });
  });
}
