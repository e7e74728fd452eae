/**
 * Resolves revisions and reads commits through one `git cat-file` process for each repository, so that a
 * read of many pull requests starts no process of its own.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";

import type { Commit, Person } from "../../world/git-parse.js";
import { cleanEnvironment } from "../../world/git-process.js";

interface Asked {
  readonly contents: boolean;
  readonly settle: (answer: Found | null) => void;
  readonly fail: (error: Error) => void;
}

interface Found {
  readonly oid: string;
  readonly type: string;
  readonly text: string;
}

export class ObjectReader {
  readonly #gitDir: string;
  #process: ChildProcessWithoutNullStreams | null = null;
  #pending: Asked[] = [];
  #buffer: Buffer = Buffer.alloc(0);

  constructor(gitDir: string) {
    this.#gitDir = gitDir;
  }

  /** The commit a revision stands for, or null. */
  async resolve(revision: string): Promise<string | null> {
    const found = await this.#ask("info", `${revision}^{commit}`);
    return found?.oid ?? null;
  }

  /** The object a ref stands at, tags included, or null. */
  async target(ref: string): Promise<{ readonly oid: string; readonly type: string } | null> {
    return this.#ask("info", ref);
  }

  /** Null when there is no such commit. */
  async commit(oid: string): Promise<Commit | null> {
    const found = await this.#ask("contents", `${oid}^{commit}`);
    return found === null ? null : parseCommit(found);
  }

  close(): void {
    this.#process?.stdin.end();
    this.#process = null;
  }

  #ask(command: "info" | "contents", revision: string): Promise<Found | null> {
    // A line is a question: a revision with a newline stands for nothing.
    if (/[\n\0]/.test(revision)) return Promise.resolve(null);
    return new Promise((settle, fail) => {
      this.#pending.push({ contents: command === "contents", settle, fail });
      this.#running().stdin.write(`${command} ${revision}\n`);
    });
  }

  #running(): ChildProcessWithoutNullStreams {
    if (this.#process !== null) return this.#process;
    const child = spawn("git", ["cat-file", "--batch-command"], {
      cwd: this.#gitDir,
      env: cleanEnvironment(),
    });
    child.stdout.on("data", (chunk: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, chunk]);
      this.#read();
    });
    child.stderr.resume();
    child.stdin.on("error", () => undefined);
    const ended = (error: Error): void => {
      if (this.#process === child) this.#process = null;
      const pending = this.#pending;
      this.#pending = [];
      this.#buffer = Buffer.alloc(0);
      for (const one of pending) one.fail(error);
    };
    child.on("error", ended);
    child.on("close", () => ended(new Error(`git cat-file ended in ${this.#gitDir}`)));
    this.#process = child;
    return child;
  }

  /** Hands whole answers to whoever asked, in order. */
  #read(): void {
    for (;;) {
      const asked = this.#pending[0];
      const end = this.#buffer.indexOf(0x0a);
      if (asked === undefined || end < 0) return;
      const header = this.#buffer.subarray(0, end).toString("utf8");
      const found = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(header);
      // Without contents, and for a missing object, the header is all.
      const size = found === null || !asked.contents ? 0 : Number(found[3]) + 1;
      if (this.#buffer.length < end + 1 + size) return;
      const text = this.#buffer.subarray(end + 1, end + Math.max(1, size)).toString("utf8");
      this.#buffer = this.#buffer.subarray(end + 1 + size);
      this.#pending.shift();
      asked.settle(found === null ? null : { oid: found[1] ?? "", type: found[2] ?? "", text });
    }
  }
}

function parseCommit({ oid, text }: Found): Commit {
  const split = text.indexOf("\n\n");
  const head = split < 0 ? text : text.slice(0, split);
  const values = (name: string): string[] =>
    head
      .split("\n")
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1));
  return {
    sha: oid,
    tree: values("tree")[0] ?? "",
    parents: values("parent"),
    author: parsePerson(values("author")[0] ?? ""),
    committer: parsePerson(values("committer")[0] ?? ""),
    message: split < 0 ? "" : text.slice(split + 2).replace(/\n+$/, ""),
  };
}

function parsePerson(line: string): Person {
  const [, name = "", email = "", seconds = "0", zone = "+0000"] =
    /^(.*?) ?<(.*)> (-?\d+) ([+-]\d{4})$/.exec(line) ?? [];
  const sign = zone.startsWith("-") ? -1 : 1;
  const offset = sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5)));
  const local = new Date((Number(seconds) + offset * 60) * 1000).toISOString().slice(0, 19);
  return { name, email, date: `${local}${zone.slice(0, 3)}:${zone.slice(3)}` };
}
