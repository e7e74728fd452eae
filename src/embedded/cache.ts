/** Folders that are made once and then only read. */
import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns the folder `name` of the cache, made by `fill` when it is not there. `fill` works in a
 * scratch folder that is renamed at the end, so a folder that exists is complete; of two starters
 * at once the slower one throws its own copy away.
 */
export async function cached(
  cache: string,
  name: string,
  fill: (scratch: string) => Promise<void>,
): Promise<string> {
  const place = join(cache, name);
  if (await isFolder(place)) return place;
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, `.${name}-`));
  try {
    await fill(scratch);
    await rename(scratch, place).catch(async (error: unknown) => {
      if (!(await isFolder(place))) throw error;
    });
    return place;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
