import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import {
  aSimulator,
  git,
  gitFails,
  openPullRequest,
  queued,
  type ASimulator,
} from "./a-simulator.js";

function address({ simulator }: ASimulator, credential = ""): string {
  return `${simulator.url.replace("//", `//${credential}`)}/acme/shop.git`;
}

async function clone(it: ASimulator, name = "clone", url = address(it)): Promise<string> {
  await git(it.folder, "clone", "--quiet", url, name);
  return join(it.folder, name);
}

async function commit(folder: string, file: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, file), content);
  await git(folder, "add", file);
  await git(folder, "commit", "--quiet", "-m", `Write ${file}`);
  return git(folder, "rev-parse", "HEAD");
}

describe("git over HTTP", () => {
  it("S1 clones, pushes and fetches with plain git", async () => {
    const at = await aSimulator();
    const one = await clone(at, "one");
    const two = await clone(at, "two");
    await git(one, "switch", "--quiet", "-c", "topic");
    const head = await commit(one, "topic.txt", "topic\n");
    await git(one, "push", "--quiet", "origin", "topic");
    await git(two, "fetch", "--quiet");
    expect(await git(two, "rev-parse", "origin/topic")).toBe(head);
    expect(await at.repository.branches()).toContainEqual({ name: "topic", sha: head });
  });

  it("S1 the world follows a push: the pull request has the new head, and its checks start", async () => {
    const at = await aSimulator();
    const pullRequest = await openPullRequest(at, "topic");
    const folder = await clone(at);
    await git(folder, "switch", "--quiet", "topic");
    const head = await commit(folder, "more.txt", "more\n");
    await git(folder, "push", "--quiet", "origin", "topic");
    expect(await at.repository.pullRequest(pullRequest.number)).toMatchObject({ headSha: head });
    const [run] = await at.repository.runs({ headSha: head });
    expect(run).toMatchObject({ event: "pull_request", actor: { login: "anonymous" } });
    await git(folder, "push", "--quiet", "origin", "--delete", "topic");
    expect(await at.repository.pullRequest(pullRequest.number)).toMatchObject({
      state: "CLOSED",
      headBranchExists: false,
    });
  });

  it("S1 a rewritten branch needs force, and moves with it", async () => {
    const at = await aSimulator();
    const folder = await clone(at);
    await git(folder, "switch", "--quiet", "-c", "topic");
    await commit(folder, "a.txt", "a\n");
    await git(folder, "push", "--quiet", "origin", "topic");
    await git(folder, "commit", "--quiet", "--amend", "-m", "Another");
    expect(await gitFails(folder, "push", "origin", "topic")).toContain("non-fast-forward");
    await git(folder, "push", "--quiet", "--force", "origin", "topic");
    const head = await git(folder, "rev-parse", "HEAD");
    expect(await at.repository.branches()).toContainEqual({ name: "topic", sha: head });
  });

  it("S1 the head of a queued pull request is locked with GH006, another branch is not", async () => {
    const at = await aSimulator();
    await queued(at, "topic");
    const folder = await clone(at);
    await git(folder, "switch", "--quiet", "topic");
    await commit(folder, "more.txt", "more\n");
    const said = await gitFails(folder, "push", "origin", "topic");
    expect(said).toContain("GH006");
    expect(said).toContain("queued for merging cannot be updated");
    await git(folder, "push", "--quiet", "origin", "topic:elsewhere");
    await at.repository.dequeue(1, { actor: "robin" });
    await git(folder, "push", "--quiet", "origin", "topic");
  });

  it("S1 without anonymous pushes a token is asked for, and a reader's is not enough", async () => {
    const at = await aSimulator({ repository: { anonymousPush: false } });
    const folder = await clone(at);
    await git(folder, "switch", "--quiet", "-c", "topic");
    await commit(folder, "a.txt", "a\n");
    expect(await gitFails(folder, "push", address(at), "topic")).toContain(
      "could not read Username",
    );
    await at.admin.createUser("pat", "read");
    const reader = await at.admin.createToken("pat");
    const denied = await gitFails(
      folder,
      "push",
      address(at, `x-access-token:${reader}@`),
      "topic",
    );
    expect(denied).toContain("403");
    expect(await gitFails(folder, "push", address(at, "x:wrong@"), "topic")).toContain(
      "Authentication failed",
    );
    await git(folder, "push", "--quiet", address(at, `x-access-token:${at.token}@`), "topic");
    const [push] = (await at.admin.requests({ kind: "git" })).requests.slice(-1);
    expect(push).toMatchObject({ route: "git git-receive-pack", actor: "robin", status: 200 });
  });

  it("S1 a private repository is shown to those who may read it", async () => {
    const at = await aSimulator({ repository: { private: true } });
    expect(await gitFails(at.folder, "ls-remote", address(at))).toContain(
      "could not read Username",
    );
    expect(await git(at.folder, "ls-remote", address(at, `x:${at.token}@`))).toContain(
      "refs/heads/main",
    );
  });

  it("S1 a large push goes through whole", async () => {
    const at = await aSimulator();
    const folder = await clone(at);
    // Random, so that it is as large on the way.
    const content = randomBytes(24 * 1024 * 1024);
    await commit(folder, "large.bin", content);
    await git(folder, "push", "--quiet", "origin", "HEAD:large");
    const other = await clone(at, "other");
    await git(other, "switch", "--quiet", "large");
    expect(content.equals(await readFile(join(other, "large.bin")))).toBe(true);
  });

  it("S1 a client that hangs up in the middle of a fetch is no failure of the simulator", async () => {
    const at = await aSimulator();
    const folder = await clone(at);
    const head = await commit(folder, "large.bin", randomBytes(24 * 1024 * 1024));
    await git(folder, "push", "--quiet", "origin", "HEAD:large");
    const asked = request(`${address(at)}/git-upload-pack`, {
      method: "POST",
      headers: { "content-type": "application/x-git-upload-pack-request" },
    });
    asked.end(`0032want ${head}\n00000009done\n`);
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    await once(answer, "readable");
    answer.destroy();
    await at.simulator.services.log.quiet();
    expect(at.simulator.services.log.unexpected()).toEqual([]);
  });

  it("S1 partial and shallow clones, and fetches of one commit", async () => {
    const at = await aSimulator();
    const [main] = await at.repository.branches();
    await git(
      at.folder,
      "clone",
      "--quiet",
      "--filter=blob:none",
      "--depth=1",
      address(at),
      "part",
    );
    expect(await git(join(at.folder, "part"), "rev-parse", "HEAD")).toBe(main?.sha);
    const empty = join(at.folder, "empty");
    await mkdir(empty);
    await git(empty, "init", "--quiet");
    await git(empty, "fetch", "--quiet", address(at), main?.sha ?? "");
    expect(await git(empty, "rev-parse", "FETCH_HEAD")).toBe(main?.sha);
  });

  it("S1 an unknown repository is not there", async () => {
    const at = await aSimulator();
    const url = `${at.simulator.url}/acme/none.git`;
    expect(await gitFails(at.folder, "ls-remote", url)).toContain("could not read Username");
    const named = url.replace("//", `//x:${at.token}@`);
    expect(await gitFails(at.folder, "ls-remote", named)).toContain("not found");
  });

  it("S8 the reply to a push is lost after it took effect", async () => {
    const at = await aSimulator();
    const folder = await clone(at);
    await git(folder, "switch", "--quiet", "-c", "topic");
    const head = await commit(folder, "a.txt", "a\n");
    await at.admin.addFault({
      match: { route: "git-receive-pack$", method: "POST" },
      cut: "after",
    });
    await gitFails(folder, "push", "origin", "topic");
    expect(await at.repository.branches()).toContainEqual({ name: "topic", sha: head });
    expect(await at.admin.faults()).toMatchObject([{ used: 1, unused: false }]);
  });

  it("S8 a push is cut before it took effect", async () => {
    const at = await aSimulator();
    const folder = await clone(at);
    await git(folder, "switch", "--quiet", "-c", "topic");
    await commit(folder, "a.txt", "a\n");
    await at.admin.addFault({
      match: { route: "git-receive-pack$", method: "POST" },
      cut: "before",
      // Git asks again by itself when a kept connection breaks.
      times: null,
    });
    await gitFails(folder, "push", "origin", "topic");
    expect(await at.repository.branches()).toHaveLength(1);
    await at.admin.clearFaults();
    await git(folder, "push", "--quiet", "origin", "topic");
  });
});

describe("pages", () => {
  it("S1 a page shows pull requests, the queue with its groups, and runs; text is escaped", async () => {
    const at = await aSimulator();
    await queued(at, "one");
    await at.repository.editPullRequest(1, { title: "<b>bold</b> & more" });
    const page = await (await fetch(`${at.simulator.url}/acme/shop`)).text();
    expect(page).toContain("Merge queue of main");
    expect(page).toContain("AWAITING_CHECKS");
    expect(page).toContain("merge_group");
    expect(page).toContain("&#60;b&#62;bold&#60;/b&#62; &#38; more");
    expect(page).not.toContain("<b>bold");
    const one = await (await fetch(`${at.simulator.url}/acme/shop/pull/1`)).text();
    expect(one).toContain("AddedToMergeQueue");
    const front = await (await fetch(at.simulator.url)).text();
    expect(front).toContain("acme/shop");
  });

  it("S1 addresses in payloads lead to a page", async () => {
    const at = await aSimulator();
    const { number, headSha } = await openPullRequest(at, "one");
    const [run] = await at.repository.runs({ headSha });
    for (const path of [`pull/${number}`, "queue/main", `actions/runs/${run?.id ?? 0}`]) {
      const answer = await fetch(`${at.simulator.url}/acme/shop/${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });
});
