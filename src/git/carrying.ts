/** The proof that the gate branch carries the candidate, and by which commit (A11.2, A11.3). */
import { integrityOf } from "../core/landing/integrity.js";
import { refuse, type Refusal } from "../core/refusals.js";
import { GitError } from "./error.js";
import { fetchGate, localGate } from "./fetch-gate.js";
import { GateFetches } from "./gate-fetches.js";
import { firstCarrier, type Carrier } from "./first-carrier.js";
import { commitOf, contains, line, records, requireObjectId, treeOf, type Where } from "./names.js";
import { landedByContent } from "./landed-content.js";
import { compareLanded, compareWithMerge } from "./landed-tree.js";
import type { CarryingProof, GitCredential, LandedAs, Proved } from "./port.js";
import { runGit } from "./run.js";

export interface CarryingQuestion {
  /** Any folder inside the repository. */
  readonly repository: string;
  /** Name of a configured remote; null asks the local gate branch. */
  readonly remote: string | null;
  readonly gateBranch: string;
  readonly candidate: string;
  readonly landed?: LandedAs | undefined;
  readonly credential: GitCredential | null;
}

/**
 * Fetches the gate branch (or takes a fetch of the last seconds that shows the candidate on it), requires the exact candidate on it and names the commit that first
 * carried it. Nothing but the gate's remote-tracking ref is written. Asking again asks again:
 * the answer may name a later gate head, never another carrying commit, unless the remote's
 * history was rewritten.
 *
 * Refuses with `closeout_fetch_failed`, `closeout_candidate_missing` or
 * `closeout_ancestry_unreadable`; throws GitError only when cancelled.
 */
export async function proveCarried(
  ask: CarryingQuestion,
  options: {
    readonly signal?: AbortSignal | undefined;
    /** Of one adapter: those who ask for the same gate branch together share its fetch (A15.6). */
    readonly fetches?: GateFetches;
  } = {},
): Promise<Proved> {
  const where: Where = { cwd: ask.repository, signal: options.signal };
  const seen = seenOf(ask);
  try {
    requireObjectId("candidate", ask.candidate);
    if (await isShallow(where)) return refused(shallow(ask, seen));
    const gate = await readGate(ask, seen, where, options.fetches ?? new GateFetches());
    if ("refusal" in gate) return refused(gate.refusal);
    const proved = (await contained(gate.head, ask.candidate, where))
      ? await byAncestry(gate.head, ask, where)
      : await byContent(gate.head, ask, seen, where);
    // Somebody may have cut the history short while it was read.
    return (await isShallow(where)) ? refused(shallow(ask, seen)) : proved;
  } catch (error) {
    if (!(error instanceof GitError) || error.kind === "cancelled") throw error;
    const message = `The history of ${ask.gateBranch} in ${ask.repository} cannot be read: ${error.words}`;
    return refused(refuse("closeout_ancestry_unreadable", message, seen));
  }
}

type Seen = Readonly<Record<string, string>>;

function seenOf(ask: CarryingQuestion): Seen {
  const { repository, remote, gateBranch, candidate } = ask;
  return { repository, gateBranch, candidate, ...(remote === null ? {} : { remote }) };
}

function refused(refusal: Refusal): Proved {
  return { ok: false, refusal };
}

async function readGate(
  ask: CarryingQuestion,
  seen: Seen,
  where: Where,
  fetches: GateFetches,
): Promise<{ readonly head: string } | { readonly refusal: Refusal }> {
  const { remote, gateBranch, credential } = ask;
  if (remote === null) {
    const head = await localGate(gateBranch, where);
    if (head !== null) return { head };
    const message = `There is no local branch ${gateBranch} in ${ask.repository}.`;
    const next = `Restore the branch in ${ask.repository}, then enter the same command again.`;
    return { refusal: refuse("closeout_ancestry_unreadable", message, seen, next) };
  }
  const key = JSON.stringify([ask.repository, remote, gateBranch]);
  try {
    const recent = fetches.recent(key);
    if (recent !== null && (await shows(recent, ask, where))) return { head: recent };
    const head = await fetches.fetch(key, async () => {
      const ref = await fetchGate({ remote, branch: gateBranch, credential }, where);
      const commit = await commitOf(ref, where);
      if (commit === null) throw new GitError("unusable", `${ref} names no commit after the fetch`);
      return commit;
    });
    return { head };
  } catch (error) {
    if (!(error instanceof GitError) || error.kind === "cancelled") throw error;
    const message = `Fetching ${gateBranch} from remote ${remote} failed: ${error.words}`;
    return { refusal: refuse("closeout_fetch_failed", message, seen) };
  }
}

/**
 * A candidate that the repository does not have is not on a branch it has in full. Git answers
 * "no" to the question of ancestry also when a commit in between is missing, so the history is
 * walked first: a gap throws, and "no" is said of a whole history only (case C24).
 */
async function contained(head: string, candidate: string, where: Where): Promise<boolean> {
  if ((await commitOf(candidate, where)) === null) return false;
  await runGit(["rev-list", "--quiet", head, "--not", candidate], where);
  return contains(head, candidate, where);
}

/** Whether this head of the gate branch is new enough to prove the landing on. */
async function shows(head: string, ask: CarryingQuestion, where: Where): Promise<boolean> {
  if (await contained(head, ask.candidate, where)) return true;
  return ask.landed?.byContent === true && (await contained(head, ask.landed.commit, where));
}

async function byAncestry(head: string, ask: CarryingQuestion, where: Where): Promise<Proved> {
  const { candidate } = ask;
  const carrier = await firstCarrier(head, candidate, where);
  // GitHub's word for the landed commit counts while the branch has it; else it is the one that carried the candidate.
  const said = ask.landed?.commit ?? carrier.commit;
  const landed = (await contained(head, said, where)) ? said : carrier.commit;
  const integrity = integrityOf(await compareLanded({ landed, candidate }, where));
  const proof = await describe(head, candidate, carrier, where);
  return { ok: true, proof: { ...proof, by: "ancestry", integrity } };
}

/** The candidate is not in the history: what GitHub says it landed as must hold exactly its content (A16.2). */
async function byContent(
  head: string,
  ask: CarryingQuestion,
  seen: Seen,
  where: Where,
): Promise<Proved> {
  const { candidate, landed } = ask;
  if (landed?.byContent !== true || (await commitOf(candidate, where)) === null) {
    return refused(missing(ask, head, seen));
  }
  const there = await contained(head, landed.commit, where);
  const carrier = there
    ? await landedByContent(head, { landed: landed.commit, candidate }, where)
    : null;
  if (carrier === null || carrier.before === null) return refused(missing(ask, head, seen));
  const { commit, before: onto } = carrier;
  const integrity = integrityOf(
    await compareWithMerge({ landed: commit, onto, other: candidate }, where),
  );
  // A wrong tree is an answer too: close-out stops arming for it. A tree that cannot be judged proves nothing here.
  if (integrity.is === "not_checked") {
    const message = `${commit} on ${ask.gateBranch} cannot be compared with the candidate ${candidate}: ${integrity.why}.`;
    return refused(refuse("closeout_content_unproved", message, { ...seen, landed: commit }));
  }
  const proof = await describe(head, candidate, carrier, where);
  return { ok: true, proof: { ...proof, by: "content", integrity } };
}

async function describe(
  head: string,
  candidate: string,
  carrier: Carrier,
  where: Where,
): Promise<CarryingProof> {
  const [mergeTree, contributedCommits, changedFiles] = await Promise.all([
    treeOf(carrier.commit, where),
    contributed(candidate, carrier, where),
    changedPaths(carrier, where),
  ]);
  return {
    mergeCommit: carrier.commit,
    mergeTree,
    contributedCommits,
    changedFiles,
    gateHead: head,
    how: carrier.how,
  };
}

/**
 * Commits the candidate holds and the branch did not before, oldest first. The history of a
 * fast-forward does not say where the branch stood before, so it names the candidate alone.
 */
async function contributed(
  candidate: string,
  carrier: Carrier,
  where: Where,
): Promise<readonly string[]> {
  if (carrier.how === "fast_forward") return [candidate];
  const before = carrier.before === null ? [] : [`^${carrier.before}`];
  const args = ["rev-list", "--topo-order", "--reverse", "--end-of-options", candidate, ...before];
  const text = line((await runGit(args, where)).stdout);
  return text === "" ? [] : text.split("\n");
}

/** Paths that differ between the carrying commit and its first parent; a rename is two paths. */
async function changedPaths(carrier: Carrier, where: Where): Promise<readonly string[]> {
  const names = ["-r", "-z", "--name-only", "--no-renames", "--no-commit-id"];
  const args =
    carrier.before === null
      ? ["diff-tree", ...names, "--root", "--end-of-options", carrier.commit]
      : ["diff-tree", ...names, "--end-of-options", carrier.before, carrier.commit];
  return records((await runGit(args, where)).stdout);
}

async function isShallow(where: Where): Promise<boolean> {
  return line((await runGit(["rev-parse", "--is-shallow-repository"], where)).stdout) === "true";
}

function shallow(ask: CarryingQuestion, seen: Seen): Refusal {
  const from = ask.remote === null ? "" : ` ${ask.remote}`;
  return refuse(
    "closeout_ancestry_unreadable",
    `The repository ${ask.repository} is shallow: its history ends early, so it cannot say what ${ask.gateBranch} contains.`,
    seen,
    `Fetch the whole history with \`git fetch --unshallow${from}\` in ${ask.repository}, then enter the same command again.`,
  );
}

function missing(ask: CarryingQuestion, head: string, seen: Seen): Refusal {
  const gate =
    ask.remote === null
      ? `The local ${ask.gateBranch}`
      : `${ask.gateBranch} of remote ${ask.remote}`;
  return refuse(
    "closeout_candidate_missing",
    `${gate} is at ${head} and does not contain the candidate ${ask.candidate}.`,
    { ...seen, gateHead: head },
  );
}
