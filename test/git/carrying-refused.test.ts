import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import type { Refusal } from "../../src/core/refusals.js";
import { createGit } from "../../src/git/index.js";
import { commit, git, lane, mergeInto, published, refs } from "./repositories.js";

const adapter = createGit();

async function refusal(ask: {
  readonly repository: string;
  readonly candidate: string;
  readonly remote?: string | null;
  readonly gateBranch?: string;
}): Promise<Refusal> {
  const answer = await adapter.proveCarried({
    remote: "origin",
    gateBranch: "main",
    credential: null,
    ...ask,
  });
  if (answer.ok) throw new Error("the candidate was proved");
  return answer.refusal;
}

/** A candidate that main carries three commits below its head. */
function landed() {
  const world = published();
  const path = lane(world.clone, "a");
  const candidate = commit(path, { "a.txt": "a\n" });
  git(world.upstream, "fetch", "--quiet", world.clone, "a");
  const merge = mergeInto(world.upstream, candidate);
  const middle = commit(world.upstream, { "b.txt": "b\n" });
  const head = commit(world.upstream, { "c.txt": "c\n" });
  git(world.upstream, "push", "--quiet", "origin", "main");
  return { ...world, path, candidate, merge, middle, head };
}

describe("a failed fetch", () => {
  it("A11.3 names the remote and says git's own words; the lane stays", async () => {
    const { clone, remote, candidate, path } = landed();
    rmSync(remote, { recursive: true });
    const before = refs(clone);
    const said = await refusal({ repository: clone, candidate });
    expect(said).toMatchObject({ code: "closeout_fetch_failed", exit: 2 });
    expect(said.message).toContain("remote origin");
    expect(said.message).toContain("does not appear to be a git repository");
    expect(said.next).toContain("git fetch origin main");
    expect(refs(clone)).toBe(before);
    expect(git(path, "rev-parse", "HEAD")).toBe(candidate);
  });

  it("A11.3 says so for a gate branch the remote does not have and a remote that is not configured", async () => {
    const { clone, candidate } = landed();
    const gone = await refusal({ repository: clone, candidate, gateBranch: "trunk" });
    expect(gone.code).toBe("closeout_fetch_failed");
    expect(gone.message).toContain("couldn't find remote ref refs/heads/trunk");
    const unknown = await refusal({ repository: clone, candidate, remote: "upstream" });
    expect(unknown.code).toBe("closeout_fetch_failed");
    expect(unknown.message).toContain("No such remote 'upstream'");
  });
});

describe("a candidate that is not on the gate branch", () => {
  it("A11.3 is missing when main does not contain it, and when nobody has it", async () => {
    const { clone, head } = landed();
    const unlanded = commit(lane(clone, "b"), { "other.txt": "other\n" });
    for (const candidate of [unlanded, "1".repeat(40)]) {
      const said = await refusal({ repository: clone, candidate });
      expect(said).toMatchObject({ code: "closeout_candidate_missing", seen: { candidate } });
      expect(said.message).toContain(head);
      expect(said.message).toContain(candidate);
    }
  });

  it("A11.3 an amended commit with the same tree is not the exact candidate", async () => {
    const { clone, path, candidate } = landed();
    git(path, "commit", "--quiet", "--amend", "-m", "the same tree");
    const amended = git(path, "rev-parse", "HEAD");
    expect(git(path, "rev-parse", "HEAD^{tree}")).toBe(
      git(clone, "rev-parse", `${candidate}^{tree}`),
    );
    const said = await refusal({ repository: clone, candidate: amended });
    expect(said.code).toBe("closeout_candidate_missing");
  });
});

describe("history that cannot be read", () => {
  it("A11.3 case C24 a shallow repository is told how to get its history, and works once it has it", async () => {
    const { folder, remote, candidate, merge } = landed();
    const clone = join(folder, "shallow");
    git(folder, "clone", "--quiet", "--depth=1", `file://${remote}`, clone);
    const said = await refusal({ repository: clone, candidate });
    expect(said.code).toBe("closeout_ancestry_unreadable");
    expect(said.message).toContain("shallow");
    expect(said.next).toContain("git fetch --unshallow origin");

    git(clone, "fetch", "--quiet", "--unshallow", "origin");
    const answer = await adapter.proveCarried({
      repository: clone,
      remote: "origin",
      gateBranch: "main",
      candidate,
      credential: null,
    });
    expect(answer).toMatchObject({ ok: true, proof: { mergeCommit: merge } });
    expect(git(clone, "rev-parse", "--is-shallow-repository")).toBe("false");
  });

  it("A11.3 a gap in the history is not taken for 'does not contain'", async () => {
    const { clone, candidate, middle, merge } = landed();
    git(clone, "fetch", "--quiet");
    git(clone, "branch", "gate", "origin/main");
    const ask = { repository: clone, remote: null, gateBranch: "gate", candidate };
    expect(await adapter.proveCarried({ ...ask, credential: null })).toMatchObject({ ok: true });
    for (const gap of [middle, merge]) {
      const file = join(clone, ".git/objects", gap.slice(0, 2), gap.slice(2));
      renameSync(file, `${file}.away`);
      const said = await refusal(ask);
      expect(said.code).toBe("closeout_ancestry_unreadable");
      expect(said.message).toContain(gap);
      renameSync(`${file}.away`, file);
    }
  });

  it("A11.3 without a remote a missing local gate branch is named", async () => {
    const { clone, candidate } = landed();
    const said = await refusal({ repository: clone, candidate, remote: null, gateBranch: "trunk" });
    expect(said.code).toBe("closeout_ancestry_unreadable");
    expect(said.message).toContain("no local branch trunk");
  });

  it("A11.3 a folder that is gone or no repository is named", async () => {
    const { folder, candidate } = landed();
    const gone = await refusal({ repository: join(folder, "gone"), candidate });
    expect(gone.code).toBe("closeout_ancestry_unreadable");
    expect(gone.message).toContain("there is no folder");
    const plain = await refusal({ repository: folder, candidate });
    expect(plain.message).toContain("not a git repository");
  });

  it("A11.3 an abbreviated or symbolic candidate is not an exact one", async () => {
    const { clone, candidate } = landed();
    for (const name of [candidate.slice(0, 12), "HEAD", "a\0b", "--all"]) {
      const said = await refusal({ repository: clone, candidate: name });
      expect(said.code).toBe("closeout_ancestry_unreadable");
      expect(said.message).toContain("not a full object id");
    }
  });
});
