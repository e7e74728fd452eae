/** Trees made of file contents. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ZERO_OID, type GitDirectory } from "./git.js";

type Files = Readonly<Record<string, string | null>>;

/** Tree of `base` (null: empty) with files written and, for null, deleted. */
export async function treeWith(
  git: GitDirectory,
  base: string | null,
  files: Files,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "simulator-index-"));
  const env = { GIT_INDEX_FILE: join(folder, "index") };
  try {
    if (base !== null) await git.run(["read-tree", base], { env });
    const blobs = await writeBlobs(git, join(folder, "marks"), Object.values(files));
    const entries = Object.keys(files).map((path, at) => {
      const oid = blobs[at] ?? null;
      return oid === null ? `0 ${ZERO_OID}\t${path}\0` : `100644 ${oid}\t${path}\0`;
    });
    await git.run(["update-index", "-z", "--index-info"], { env, input: entries.join("") });
    const { stdout } = await git.run(["write-tree"], { env });
    return stdout.trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Oids of the contents, null for null: one process, however many files. */
async function writeBlobs(
  git: GitDirectory,
  marksPath: string,
  contents: readonly (string | null)[],
): Promise<(string | null)[]> {
  const blobs = contents.map((content, at) =>
    content === null
      ? ""
      : `blob\nmark :${at + 1}\ndata ${Buffer.byteLength(content)}\n${content}\n`,
  );
  const args = ["fast-import", "--quiet", "--done", `--export-marks=${marksPath}`];
  await git.run(args, { input: `${blobs.join("")}done\n` });
  const oids = new Map<number, string>();
  for (const line of (await readFile(marksPath, "utf8")).split("\n")) {
    const [mark = "", oid] = line.split(" ");
    if (oid !== undefined) oids.set(Number(mark.slice(1)), oid);
  }
  return contents.map((_, at) => oids.get(at + 1) ?? null);
}
