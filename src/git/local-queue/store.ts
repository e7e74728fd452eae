/** The candidate store: append-only, one file a record, written whole or not at all (C3.1). */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  fragmentShape,
  recordTime,
  type CandidateEvent,
  type Fragment,
} from "../../core/local-queue/candidates/fragment.js";

const SUFFIX = ".json";

/** One writer: a process makes one for each repository. */
export class CandidateStore {
  private readonly writer = randomUUID();
  private sequence = 0;
  private newest: string | null = null;

  /** `folder` is made when the first record is written. */
  constructor(
    private readonly folder: string,
    private readonly now: () => string,
  ) {}

  /** Every record there is. Throws on a file that is none: nobody else writes here. */
  read(): readonly Fragment[] {
    // Synchronous: of ten thousand small files the calls themselves are the cost (C7.3).
    const fragments = names(this.folder).map((name) => {
      const file = join(this.folder, name);
      const parsed = fragmentShape.safeParse(JSON.parse(readFileSync(file, "utf8")));
      if (!parsed.success) throw new Error(`${file} is not a record of the merge queue`);
      return parsed.data;
    });
    for (const { recordedAt } of fragments) this.heard(recordedAt);
    return fragments;
  }

  /** Resolves when the record will be there after a power failure. */
  async append(candidate: string, event: CandidateEvent): Promise<Fragment> {
    const recordedAt = recordTime(this.now(), this.newest);
    this.heard(recordedAt);
    this.sequence += 1;
    const fragment: Fragment = {
      schema: "yoke.merge-queue.fragment/1",
      writer: this.writer,
      sequence: this.sequence,
      recordedAt,
      candidate,
      event,
    };
    await mkdir(this.folder, { recursive: true });
    const name = `${fragment.writer}-${String(fragment.sequence)}`;
    const unfinished = join(this.folder, `${name}.new`);
    try {
      await written(unfinished, JSON.stringify(fragment));
      await rename(unfinished, join(this.folder, name + SUFFIX));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
    await synced(this.folder);
    return fragment;
  }

  private heard(recordedAt: string): void {
    if (this.newest === null || recordedAt > this.newest) this.newest = recordedAt;
  }
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

async function written(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function synced(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
