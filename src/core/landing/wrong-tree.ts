/** A landing whose tree is wrong (A16.1): arming is frozen, the steering seat is told, and it is not said to have landed. */
import { refuse, type Refusal } from "../refusals.js";
import { somePaths, type WrongTree } from "./integrity.js";
import type { Decision, LandingState, NoticeDraft } from "./model.js";
import { tellOnce } from "./notices.js";
import { mergeCommand } from "./stop-words.js";

/** Once: a freeze that people lifted is not put back for the same commit. */
export function foundWrongTree(state: LandingState, wrong: WrongTree): Decision {
  const next: LandingState = { ...state, wrongTree: wrong };
  const why = wrongTreeText(next, wrong);
  if (state.wrongTree?.commit === wrong.commit) return { state, effects: [], why };
  const told = tellOnce(next, wrongTreeNotice(next, wrong));
  return {
    state: told.state,
    effects: [{ type: "freezeArming", reason: freezeReason(state, wrong) }, ...told.effects],
    why,
  };
}

/** What was found, as a clause. */
export function wrongTreeText({ pullRequest }: LandingState, wrong: WrongTree): string {
  const { commit, onto, paths } = wrong;
  const where = paths.length === 0 ? "its tree" : somePaths(paths);
  return `GitHub merged pull request ${pullRequest?.number ?? "of it"} as ${commit}, which is not the clean merge onto ${onto}: ${where} differs`;
}

export function wrongTreeRefusal(state: LandingState, wrong: WrongTree): Refusal {
  const { project, item, gateBranch } = state;
  const { commit, onto, paths } = wrong;
  return refuse("landed_tree_wrong", `${wrongTreeText(state, wrong)}.`, {
    project,
    item,
    gateBranch,
    commit,
    onto,
    paths: paths.join(", "),
  });
}

/** What the holder does: nothing that this landing could be closed out by. */
export function wrongTreeNext(state: LandingState): string | null {
  return state.wrongTree === undefined ? null : wrongTreeRefusal(state, state.wrongTree).next;
}

function freezeReason({ item }: LandingState, { commit, paths }: WrongTree): string {
  return `the landing of ${item} has a wrong tree: ${commit} changes ${somePaths(paths)} in another way than the clean merge`;
}

function wrongTreeNotice(
  state: LandingState,
  wrong: WrongTree,
): Omit<NoticeDraft, "key" | "episode"> {
  const { project, item, gateBranch, candidate } = state;
  return {
    kind: "wrong_tree",
    title: `${item} merged with a wrong tree; arming is frozen in ${project}`,
    body: `${wrongTreeText(state, wrong)}. The item has not landed.`,
    next: [
      `Compare \`git diff $(git merge-tree --write-tree ${wrong.onto} ${candidate?.commit ?? "CANDIDATE"}) ${wrong.commit}\` with what was meant`,
      `revert ${wrong.commit} on \`${gateBranch}\` and land the change again from a new commit`,
      `look at what landed since`,
      `then run \`yoke project unfreeze ${project}\`. \`${mergeCommand(item)}\` goes on refusing this landing.`,
    ].join("; "),
    reason: null,
    failedChecks: [],
  };
}
