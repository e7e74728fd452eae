/** Receipts equal the landings, and the history of the gate branch. */
import { listItems } from "../../db/items.js";
import { listLandings } from "../../db/landings.js";
import { listReceipts } from "../../db/receipts.js";
import { byItem, currentLanding } from "../../src/core/landing/landings-of-item.js";
import type { Receipt } from "../../src/core/records.js";
import { gateHistory, landedOnGate } from "./gate-branch.js";
import { projectOf, type Rule, type SimulatedWorld, type World } from "./world.js";

async function receiptsOf(world: World): Promise<Receipt[]> {
  const items = await listItems(world.db, { project: world.project });
  return (await Promise.all(items.map(({ key }) => listReceipts(world.db, { item: key })))).flat();
}

export const receiptsOfLandings: Rule = {
  name: "each landing that GitHub merged has one receipt, and its item the stamps",
  async violations(world) {
    const receipts = await receiptsOf(world);
    const items = new Map(
      (await listItems(world.db, { project: world.project })).map((item) => [item.key, item]),
    );
    const seen: string[] = [];
    const records = await listLandings(world.db, world);
    const current = byItem(records, currentLanding);
    for (const record of records) {
      const { item, state, pullRequest } = record;
      const { phase, landed } = state;
      const merged = phase === "landed" || phase === "closed_out";
      if (!merged) continue;
      const own = receipts.filter(
        (one) =>
          one.item === item &&
          one.pullRequest === pullRequest &&
          one.mergeCommit === landed?.mergeCommit,
      );
      const [receipt] = own;
      if (receipt === undefined || own.length > 1) {
        seen.push(`${item} is ${phase} as ${landed?.mergeCommit}: ${own.length} receipts say so`);
        continue;
      }
      if ((phase === "closed_out") !== (receipt.closeOut !== null)) {
        seen.push(
          `${item} is ${phase}; its receipt ${receipt.closeOut === null ? "has no" : "has a"} close-out`,
        );
      }
      const { mergeCommit, mergedAt, status } = items.get(item) ?? {};
      if (current.get(item) !== record) continue;
      if (mergeCommit !== receipt.mergeCommit || mergedAt !== receipt.mergedAt) {
        seen.push(`${item} is stamped ${mergeCommit} at ${mergedAt}, not as its receipt says`);
      }
      if (phase === "closed_out" && status !== "landed") {
        seen.push(`${item} is closed out, and its status is ${status}`);
      }
    }
    return seen;
  },
};

export const receiptsOfHistory: Rule<SimulatedWorld> = {
  name: "receipts equal the history of the gate branch",
  async violations(world) {
    const { services, repository } = world.simulator;
    const git = services.world.git(repository);
    const { gateBranch } = await projectOf(world);
    const receipts = (await receiptsOf(world)).filter(({ target }) => target === gateBranch);
    const { commits } = await gateHistory(world);
    const seen: string[] = [];
    for (const { sha, parents, pullRequest } of await landedOnGate(world)) {
      const own = receipts.filter(({ mergeCommit }) => mergeCommit === sha);
      const [receipt] = own;
      if (receipt === undefined || own.length > 1) {
        seen.push(`${sha} is on \`${gateBranch}\` and has ${own.length} receipts`);
        continue;
      }
      const head = parents[1] ?? pullRequest?.headSha;
      if (receipt.pullRequest !== pullRequest?.number || receipt.head !== head) {
        seen.push(
          `${sha} is the merge of pull request ${pullRequest?.number} at ${head}; its receipt says ${receipt.pullRequest} at ${receipt.head}`,
        );
      }
      if (receipt.closeOut === null) continue;
      // What was squashed or rebased is carried by nothing but the commit it landed as (A16.2).
      let carrier: string | null = receipt.closeOut.proof === "content" ? sha : null;
      for (const commit of carrier === null ? commits : []) {
        if (!(await git.isAncestor(receipt.head, commit.sha))) continue;
        carrier = commit.sha;
        break;
      }
      if (receipt.closeOut.carriedBy !== carrier) {
        seen.push(
          `${receipt.head} was first carried by ${carrier}; its receipt says ${receipt.closeOut.carriedBy}`,
        );
      }
    }
    const history = new Set(commits.map(({ sha }) => sha));
    for (const { item, mergeCommit } of receipts) {
      if (!history.has(mergeCommit)) {
        seen.push(`a receipt of ${item} names ${mergeCommit}, which is not on \`${gateBranch}\``);
      }
    }
    return seen;
  },
};
