import { chmodSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, it, vi } from "vitest";

import { createGit } from "../../src/git/index.js";
import { GitError } from "../../src/git/error.js";
import { groupLives } from "../../src/git/process-group.js";
import { runGit } from "../../src/git/run.js";
import { commit, git, lane, published, repository, temporaryFolder } from "./repositories.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

async function failure(work: Promise<unknown>): Promise<GitError> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof GitError) return thrown;
  throw new Error(`expected a GitError, got ${String(thrown)}`);
}

/** Makes a configured command (`git <name>`) that runs `script`, and answers the configuration. */
function alias(name: string, script: string): readonly string[] {
  return [`alias.${name}=!${script}`];
}

/** Resolves when `file` exists and is complete (it ends in a line feed). */
async function written(folder: string, name: string): Promise<string> {
  const read = (): string | null => {
    const path = join(folder, name);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    return text.endsWith("\n") ? text : null;
  };
  return new Promise((resolve) => {
    const watcher = watch(folder, () => look());
    const look = (): void => {
      const text = read();
      if (text === null) return;
      watcher.close();
      resolve(text);
    };
    look();
  });
}

describe("a run of git", () => {
  it("gives bytes and the exit status that was allowed", async () => {
    const project = repository(temporaryFolder());
    const bytes = Buffer.from([0, 0xff, 0x0a, 0x80]);
    const put = await runGit(["hash-object", "-w", "--stdin"], { cwd: project, input: bytes });
    const oid = put.stdout.toString().trim();
    const got = await runGit(["cat-file", "blob", oid], { cwd: project });
    expect(got.stdout.equals(bytes)).toBe(true);
    const none = await runGit(["config", "no.such"], { cwd: project, okCodes: [0, 1] });
    expect(none).toMatchObject({ code: 1, stderr: "" });
  });

  it("throws git's own words for any other exit status", async () => {
    const error = await failure(runGit(["rev-parse", "HEAD"], { cwd: temporaryFolder() }));
    expect(error).toMatchObject({ kind: "failed", code: 128 });
    expect(error.message).toContain("git rev-parse failed with exit 128");
    expect(error.words).toContain("not a git repository");
  });

  it("says when there is no git, no folder, or a name no program can be given", async () => {
    const cwd = temporaryFolder();
    expect(await failure(runGit(["show", "a\0b"], { cwd }))).toMatchObject({ kind: "not_started" });
    vi.stubEnv("PATH", cwd);
    const error = await failure(runGit(["version"], { cwd }));
    expect(error.message).toContain("no git on PATH");
  });

  it("ends git that writes more than it may", async () => {
    const cwd = temporaryFolder();
    const config = alias("flood", "yes");
    const error = await failure(runGit(["flood"], { cwd, config, maxOutputBytes: 10_000 }));
    expect(error).toMatchObject({ kind: "output_too_large" });
    const fine = await runGit(["version"], { cwd, maxOutputBytes: 10_000 });
    expect(fine.code).toBe(0);
  });

  it("keeps a bounded part of what git says, in whole lines", async () => {
    const cwd = temporaryFolder();
    const config = alias("talk", "yes 'a line' | head -n 100000 >&2; exit 3; :");
    const error = await failure(runGit(["talk"], { cwd, config }));
    expect(error.code).toBe(3);
    expect(error.stderr.length).toBeLessThan(70_000);
    expect(new Set(error.stderr.split("\n"))).toEqual(new Set(["a line"]));
  });
});

describe("case C30 limits end the whole process group", () => {
  /** One child that ends on TERM, one that does not, one in the background of a substitution. */
  const family = (folder: string): string =>
    `sh -c '
      sleep 600 & one=$!
      sh -c "trap \\"\\" TERM; sleep 600 & wait; sleep 600" & two=$!
      echo "$$ $one $two" > ${folder}/family.tmp; mv ${folder}/family.tmp ${folder}/family
      three=$(sleep 600)
    '; :`;

  const alive = (pid: number): boolean => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      return !/\) [ZX] /.test(stat);
    } catch {
      return false;
    }
  };

  it("a time limit leaves none of them", async () => {
    const cwd = temporaryFolder();
    const run = runGit(["family"], {
      cwd,
      config: alias("family", family(cwd)),
      timeoutMs: 1_500,
      graceMs: 200,
    });
    const error = failure(run);
    const pids = (await written(cwd, "family")).trim().split(" ").map(Number);
    expect(pids.map(alive)).toEqual([true, true, true]);
    expect(await error).toMatchObject({ kind: "timeout" });
    expect((await error).message).toBe("git family took longer than 1500 ms");
    expect(pids.map(alive)).toEqual([false, false, false]);
  });

  it("cancellation leaves none of them, and a cancelled call never starts", async () => {
    const cwd = temporaryFolder();
    const cancel = new AbortController();
    const config = alias("family", family(cwd));
    const options = { cwd, config, graceMs: 200, signal: cancel.signal };
    const error = failure(runGit(["family"], options));
    const pids = (await written(cwd, "family")).trim().split(" ").map(Number);
    cancel.abort();
    expect(await error).toMatchObject({ kind: "cancelled" });
    expect(pids.map(alive)).toEqual([false, false, false]);
    expect(await failure(runGit(["version"], options))).toMatchObject({ kind: "cancelled" });
  });

  it("a cancelled proof throws and is no refusal", async () => {
    const { clone } = published();
    const cancel = new AbortController();
    const adapter = createGit({ signal: cancel.signal });
    await adapter.version();
    cancel.abort();
    const ask = { repository: clone, remote: "origin", gateBranch: "main", credential: null };
    const candidate = git(clone, "rev-parse", "HEAD");
    const error = await failure(adapter.proveCarried({ ...ask, candidate }));
    expect(error.kind).toBe("cancelled");
  });

  it("a process that left the group and holds git's output open does not hold the answer", async () => {
    const cwd = temporaryFolder();
    const script = `echo answer; setsid sh -c 'echo $$ > ${cwd}/pid; exec sleep 600' & :`;
    const { stdout } = await runGit(["leave"], { cwd, config: alias("leave", script) });
    expect(stdout.toString()).toBe("answer\n");
    const pid = Number(await written(cwd, "pid"));
    expect(groupLives(pid)).toBe(true);
    process.kill(-pid, "SIGKILL");
  });
});

describe("a hostile environment", () => {
  it("inherited GIT_* point nowhere: not to another repository, index, configuration or program", async () => {
    const { folder, clone } = published();
    const path = lane(clone, "a");
    const head = commit(path, { "a.txt": "a\n" });
    const elsewhere = repository(folder, "elsewhere");
    const marker = join(folder, "ran");
    const program = join(folder, "program");
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\n`);
    chmodSync(program, 0o755);
    const hostile: Record<string, string> = {
      GIT_DIR: join(elsewhere, ".git"),
      GIT_WORK_TREE: elsewhere,
      GIT_COMMON_DIR: join(elsewhere, ".git"),
      GIT_INDEX_FILE: join(folder, "index"),
      GIT_OBJECT_DIRECTORY: join(folder, "objects"),
      GIT_NAMESPACE: "other",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "status.showUntrackedFiles",
      GIT_CONFIG_VALUE_0: "no",
      GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='" + program + "'",
      GIT_TRACE: marker,
      GIT_TRACE_CURL: marker,
      GIT_ASKPASS: program,
      GIT_SSH_COMMAND: program,
      GIT_PAGER: program,
      GIT_EXTERNAL_DIFF: program,
      GIT_EXEC_PATH: folder,
    };
    for (const [name, value] of Object.entries(hostile)) vi.stubEnv(name, value);
    writeFileSync(join(path, "untracked.txt"), "x\n");

    expect(await createGit().readLane(path)).toMatchObject({
      path,
      commonDir: join(clone, ".git"),
      branch: "a",
      head,
      dirty: ["untracked.txt"],
    });
    expect(existsSync(marker)).toBe(false);
  });

  it("hooks and the file system monitor of the repository do not run (case C21)", async () => {
    const { folder, clone, upstream } = published();
    const candidate = commit(upstream, { "a.txt": "a\n" });
    git(upstream, "push", "--quiet", "origin", "main");
    const marker = join(folder, "ran");
    const hooks = join(clone, ".git/hooks");
    mkdirSync(hooks, { recursive: true });
    for (const hook of ["reference-transaction", "post-checkout", "fsmonitor"]) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${marker}\n`);
      chmodSync(join(hooks, hook), 0o755);
    }
    git(clone, "config", "core.fsmonitor", join(hooks, "fsmonitor"));
    const adapter = createGit();
    await adapter.readLane(clone);
    const ask = { repository: clone, remote: "origin", gateBranch: "main", credential: null };
    expect(await adapter.proveCarried({ ...ask, candidate })).toMatchObject({ ok: true });
    expect(existsSync(marker)).toBe(false);
    git(clone, "status");
    expect(existsSync(marker)).toBe(true);
  });

  it("an ext:: remote, which is a command, is refused", async () => {
    const { folder, clone } = published();
    git(clone, "remote", "set-url", "origin", `ext::sh -c touch% ${folder}/ran`);
    git(clone, "config", "protocol.ext.allow", "always");
    const answer = await createGit().proveCarried({
      repository: clone,
      remote: "origin",
      gateBranch: "main",
      candidate: git(clone, "rev-parse", "HEAD"),
      credential: null,
    });
    expect(answer).toMatchObject({ ok: false, refusal: { code: "closeout_fetch_failed" } });
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});
