import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { createGit } from "../../src/git/index.js";
import type { CarryingProof } from "../../src/git/port.js";
import {
  commit,
  git,
  gitWith,
  lane,
  mergeInto,
  published,
  refs,
  repository,
  temporaryFolder,
} from "./repositories.js";

interface Ask {
  readonly repository: string;
  readonly candidate: string;
  readonly remote?: string | null;
  readonly gateBranch?: string;
}

/** With an adapter of its own: one that is kept may use a fetch of the last seconds. */
async function prove(ask: Ask, adapter = createGit()): Promise<CarryingProof> {
  const answer = await adapter.proveCarried({
    remote: "origin",
    gateBranch: "main",
    credential: null,
    ...ask,
  });
  if (!answer.ok) throw new Error(`${answer.refusal.code}: ${answer.refusal.message}`);
  return answer.proof;
}

/** Three lanes from the same base, each with two commits. */
function threeLanes(clone: string): { first: string; candidate: string; file: string }[] {
  return ["a", "b", "c"].map((name) => {
    const path = lane(clone, name);
    const first = commit(path, { [`${name}/one.txt`]: "1\n" });
    const candidate = commit(path, { [`${name}/two.txt`]: "2\n" });
    return { first, candidate, file: name };
  });
}

describe("the commit that carried the candidate", () => {
  it("A11.2 in a train of three chained merges each member has its own merge, also after a later push", async () => {
    const { upstream, clone } = published();
    const lanes = threeLanes(clone);
    git(upstream, "fetch", "--quiet", clone, "+refs/heads/*:refs/lanes/*");
    const merges = lanes.map(({ candidate }) => mergeInto(upstream, candidate));
    const later = commit(upstream, { "later.txt": "later\n" });
    git(upstream, "push", "--quiet", "origin", "main");

    for (const [at, { first, candidate, file }] of lanes.entries()) {
      expect(await prove({ repository: clone, candidate })).toStrictEqual({
        mergeCommit: merges[at],
        mergeTree: git(upstream, "rev-parse", `${merges[at]}^{tree}`),
        contributedCommits: [first, candidate],
        changedFiles: [`${file}/one.txt`, `${file}/two.txt`],
        gateHead: later,
        how: "merge",
        by: "ancestry",
        integrity: { is: "intact" },
      });
    }
  });

  it("A11.2 a candidate that main was moved to is its own carrier, also below later merges", async () => {
    const { upstream, clone } = published();
    const path = lane(clone, "a");
    commit(path, { "one.txt": "1\n" });
    const candidate = commit(path, { "two.txt": "2\n" });
    git(upstream, "pull", "--quiet", "--ff-only", clone, "a");
    git(upstream, "push", "--quiet", "origin", "main");
    const expected = {
      mergeCommit: candidate,
      contributedCommits: [candidate],
      how: "fast_forward",
    };
    expect(await prove({ repository: clone, candidate })).toMatchObject({
      ...expected,
      gateHead: candidate,
      changedFiles: ["two.txt"],
    });

    const other = commit(lane(clone, "b"), { "b.txt": "b\n" });
    git(upstream, "fetch", "--quiet", clone, "b");
    const gateHead = mergeInto(upstream, other);
    git(upstream, "push", "--quiet", "origin", "main");
    expect(await prove({ repository: clone, candidate })).toMatchObject({ ...expected, gateHead });
  });

  it("A11.2 a candidate that came by another branch was carried by the merge of that branch", async () => {
    const { upstream, clone } = published();
    const candidate = commit(lane(clone, "a"), { "a.txt": "a\n" });
    const epic = lane(clone, "epic");
    const before = commit(epic, { "epic.txt": "epic\n" });
    const inner = mergeInto(epic, candidate);
    const after = commit(epic, { "more.txt": "more\n" });
    git(upstream, "fetch", "--quiet", clone, "epic");
    commit(upstream, { "other.txt": "other\n" });
    const merge = mergeInto(upstream, after);
    git(upstream, "push", "--quiet", "origin", "main");

    const proof = await prove({ repository: clone, candidate });
    expect(proof).toMatchObject({ mergeCommit: merge, how: "merge" });
    expect(proof.contributedCommits).toStrictEqual([candidate]);
    expect(proof.changedFiles).toStrictEqual(["a.txt", "epic.txt", "more.txt"]);
    expect((await prove({ repository: clone, candidate: after })).contributedCommits).toStrictEqual(
      expect.arrayContaining([before, candidate, inner, after]),
    );
  });

  it("A11.2 is found in a long history in both directions from the middle", async () => {
    const { upstream, clone } = published();
    const candidate = commit(lane(clone, "a"), { "a.txt": "a\n" });
    git(upstream, "fetch", "--quiet", clone, "a");
    for (let before = 0; before < 21; before += 1) commit(upstream, {});
    const merge = mergeInto(upstream, candidate);
    git(upstream, "push", "--quiet", "origin", "main");
    for (let after = 0; after < 38; after += 1) {
      commit(upstream, {});
      if (after % 6 !== 0) continue;
      git(upstream, "push", "--quiet", "origin", "main");
      expect((await prove({ repository: clone, candidate })).mergeCommit).toBe(merge);
    }
  });

  it("A11.2 is not deceived by commit dates, replace refs and grafts", async () => {
    const { upstream, clone } = published();
    const candidate = commit(lane(clone, "a"), { "a.txt": "a\n" });
    git(upstream, "fetch", "--quiet", clone, "a");
    const merge = mergeInto(upstream, candidate);
    const old = { GIT_COMMITTER_DATE: "2001-01-01T00:00:00Z" };
    gitWith(upstream, ["commit", "--quiet", "--allow-empty", "-m", "old"], { env: old });
    const later = git(upstream, "rev-parse", "HEAD");
    git(upstream, "push", "--quiet", "origin", "main");
    git(clone, "fetch", "--quiet");
    const base = git(clone, "rev-parse", `${merge}^1`);
    git(clone, "replace", merge, base);
    writeFileSync(join(clone, ".git/info/grafts"), `${later} ${base}\n`);
    expect((await prove({ repository: clone, candidate })).mergeCommit).toBe(merge);
    expect(git(clone, "rev-parse", "origin/main")).toBe(later);
  });

  it("A11.2 without a remote asks the local gate branch: the merge, or the candidate itself", async () => {
    const project = repository(temporaryFolder());
    const [a, b] = [lane(project, "a"), lane(project, "b")];
    const first = commit(a, { "a.txt": "a\n" });
    git(project, "merge", "--quiet", "--ff-only", "a");
    const second = commit(b, { "b.txt": "b\n" });
    const merge = mergeInto(project, "b");

    const ask = { repository: project, remote: null };
    expect(await prove({ ...ask, candidate: first })).toMatchObject({
      mergeCommit: first,
      how: "fast_forward",
    });
    expect(await prove({ ...ask, candidate: second })).toMatchObject({
      mergeCommit: merge,
      gateHead: merge,
      changedFiles: ["b.txt"],
    });
  });

  it("A11.2 answers for a candidate that is the first commit of the history", async () => {
    const project = repository(temporaryFolder());
    const candidate = git(project, "rev-parse", "HEAD");
    expect(await prove({ repository: project, remote: null, candidate })).toMatchObject({
      mergeCommit: candidate,
      changedFiles: ["README.md"],
      contributedCommits: [candidate],
      how: "fast_forward",
    });
  });

  it("A11.2 works from the git directory, reads the remote, and writes one ref only (case A30)", async () => {
    const { remote, upstream, clone } = published();
    const candidate = commit(lane(clone, "a"), { "a.txt": "a\n" });
    git(upstream, "fetch", "--quiet", clone, "a");
    const merge = mergeInto(upstream, candidate);
    git(
      upstream,
      "push",
      "--quiet",
      "origin",
      "main",
      "main:refs/heads/other",
      "main:refs/tags/v1",
    );
    const [remoteRefs, localRefs] = [refs(remote), refs(clone)];

    await prove({ repository: `${clone}/.git`, candidate });
    expect(refs(remote)).toBe(remoteRefs);
    expect(refs(clone)).toBe(
      localRefs.replaceAll(
        /(refs\/remotes\/origin\/(?:HEAD|main)) \w+/g,
        (_line, ref: string) => `${ref} ${merge}`,
      ),
    );
  });

  it("A11.2 follows the remote when its history was rewritten", async () => {
    const { upstream, clone } = published();
    git(upstream, "checkout", "--quiet", "--orphan", "fresh");
    const candidate = commit(upstream, { "fresh.txt": "fresh\n" });
    git(upstream, "push", "--quiet", "--force", "origin", "fresh:main");
    expect((await prove({ repository: clone, candidate })).gateHead).toBe(candidate);
  });

  it("A11.2 many lanes of one repository may close out at the same moment (case C01)", async () => {
    const { upstream, clone } = published();
    const lanes = threeLanes(clone);
    git(upstream, "fetch", "--quiet", clone, "+refs/heads/*:refs/lanes/*");
    for (let round = 0; round < 3; round += 1) {
      const adapter = createGit();
      const merges = lanes.map(({ candidate }) =>
        round === 0 ? mergeInto(upstream, candidate) : commit(upstream, {}),
      );
      git(upstream, "push", "--quiet", "origin", "main");
      const proofs = await Promise.all(
        lanes.map(({ candidate }) => prove({ repository: clone, candidate }, adapter)),
      );
      expect(proofs.map(({ gateHead }) => gateHead)).toStrictEqual(merges.map(() => merges[2]));
    }
  });
});

describe("landings that close out together", () => {
  it("A11.2 A15.6 take a fetch of the last moment that shows their candidate, and fetch when it does not", async () => {
    const { upstream, clone } = published();
    const [one, two] = threeLanes(clone);
    if (one === undefined || two === undefined) throw new Error("no lanes");
    git(upstream, "fetch", "--quiet", clone, "+refs/heads/*:refs/lanes/*");
    const adapter = createGit();
    const first = mergeInto(upstream, one.candidate);
    git(upstream, "push", "--quiet", "origin", "main");
    const proved = await prove({ repository: clone, candidate: one.candidate }, adapter);
    expect(proved.gateHead).toBe(first);
    const second = mergeInto(upstream, two.candidate);
    git(upstream, "push", "--quiet", "origin", "main");
    // The head of a moment ago carries it: nothing is fetched.
    const again = await prove({ repository: clone, candidate: one.candidate }, adapter);
    expect(again.gateHead).toBe(first);
    // It does not carry this one.
    const other = await prove({ repository: clone, candidate: two.candidate }, adapter);
    expect(other).toMatchObject({ gateHead: second, mergeCommit: second });
  });
});

describe("odd names and bytes", () => {
  it("case C19 a gate branch and a remote whose names look like options are only names", async () => {
    const { folder, upstream, clone } = published();
    const candidate = commit(upstream, { "a.txt": "a\n" });
    const evil = `--upload-pack=touch ${folder}/ran;`.replaceAll(" ", "${IFS}");
    for (const gateBranch of ["--exec=id", "-x", "trunk/main"]) {
      git(upstream, "push", "--quiet", "origin", `main:refs/heads/${gateBranch}`);
      expect(await prove({ repository: clone, candidate, gateBranch })).toMatchObject({
        mergeCommit: candidate,
      });
    }
    const answer = await createGit().proveCarried({
      repository: clone,
      remote: evil,
      gateBranch: "main",
      candidate,
      credential: null,
    });
    expect(answer).toMatchObject({ ok: false, refusal: { code: "closeout_fetch_failed" } });
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it("case C29 names and messages that are not UTF-8 are carried, and shown with replacements", async () => {
    const project = repository(temporaryFolder());
    const blob = gitWith(project, ["hash-object", "-w", "--stdin"], { input: "x\n" });
    const entry = Buffer.concat([
      Buffer.from(`100644 blob ${blob}\tcaf`),
      Buffer.from([0xe9, 0x0a, 0x62, 0]),
    ]);
    const tree = gitWith(project, ["mktree", "-z"], { input: entry });
    const message = Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]);
    const parent = git(project, "rev-parse", "HEAD");
    const candidate = gitWith(project, ["commit-tree", tree, "-p", parent], { input: message });
    git(project, "update-ref", "refs/heads/main", candidate);

    const proof = await prove({ repository: project, remote: null, candidate });
    expect(proof.changedFiles).toStrictEqual(["README.md", "caf\ufffd\nb"]);
    expect(proof.mergeTree).toBe(tree);
  });
});
