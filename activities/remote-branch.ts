/** Deleting a lane's branch on GitHub, once its landing is proved (A16.6). */
import { listReceipts } from "../db/receipts.js";
import { reserve, settle } from "../db/reservations.js";
import { githubFault } from "../src/core/github-fault.js";
import { keptRead, keptUnread, type BranchRemoval } from "../src/core/landing/remote-branch.js";
import { GitError } from "../src/git/error.js";
import type { ActivityDependencies } from "./dependencies.js";
import { storedProject } from "./pull-requests.js";

/** Runs on the task queue of the host that has the lane. */
export function remoteBranchActivities(dependencies: ActivityDependencies) {
  const { db, git, github, gitCredential, now } = dependencies;

  return {
    /**
     * Deletes the branch where nothing stands against it, or says why it is kept. Key: item and commit; GitHub is read
     * before each request, and a request that was sent before is settled by that reading. The request itself is a
     * compare-and-delete, so that a late one cannot take away newer work.
     */
    async deleteRemoteBranch(ask: {
      readonly project: string;
      readonly item: string;
      readonly repository: string;
      readonly remote: string;
      readonly branch: string;
      readonly oid: string;
    }): Promise<BranchRemoval> {
      const { item, repository, remote, branch, oid } = ask;
      const project = await storedProject(db, ask.project);
      const receipts = await listReceipts(db, { item });
      const proved = receipts.some(
        ({ head, headBranch, closeOut }) =>
          head === oid && headBranch === branch && closeOut !== null,
      );
      const of = { project, branch, oid, proved, urls: await git.pushUrls({ repository, remote }) };
      const read = async (): Promise<BranchRemoval | null> =>
        keptRead(of, await github(project).branchUse(project, { branch }));

      const unasked = keptUnread(of) ?? (await read());
      const key = `delete-branch:${item}:${oid}`;
      const settleAs = async ({ state, removal }: Settled): Promise<BranchRemoval> => {
        await settle(db, { key, state, detail: removal.why, at: now() });
        return removal;
      };
      // The reply may have been lost after the effect: GitHub says which it was.
      const afterFailure = async (error: GitError): Promise<Settled> => {
        try {
          return known(
            (await read()) ?? keptBy(`the remote did not delete it: ${error.words}`, branch),
          );
        } catch (unread) {
          const fault = githubFault(unread);
          if (fault === null) throw unread;
          const why = `the reply was lost (${error.words}), and GitHub could not be read: ${fault.message}`;
          return { state: "uncertain", removal: keptBy(why, branch) };
        }
      };
      const detail = `${remote} ${branch} at ${oid}`;
      const reservation = { key, item, kind: "delete_branch", detail, at: now() };
      const first = await reserve(db, reservation);
      if (unasked !== null) return settleAs(known(unasked));
      if (!first.reserved) {
        // Whoever sent it is gone, and the branch is still there: it had no effect.
        await settle(db, { key, state: "released", at: now() });
        await reserve(db, reservation);
      }
      try {
        const credential = await gitCredential(project);
        await git.deleteRemoteBranch({ repository, remote, branch, oid, credential });
      } catch (error) {
        if (!(error instanceof GitError) || error.kind === "cancelled") throw error;
        return settleAs(await afterFailure(error));
      }
      return settleAs(known({ deleted: true, why: "deleted after its landing was proved" }));
    },
  };
}

interface Settled {
  readonly state: "completed" | "released" | "uncertain";
  readonly removal: BranchRemoval;
}

function known(removal: BranchRemoval): Settled {
  return { state: removal.deleted ? "completed" : "released", removal };
}

function keptBy(why: string, branch: string): BranchRemoval {
  return {
    deleted: false,
    why,
    next: `Delete \`${branch}\` by hand, if it is not wanted any more.`,
  };
}
