/** Programs that were fetched once for this user, below `$XDG_CACHE_HOME/yoke`. */
import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The XDG base directory rules: a relative `XDG_CACHE_HOME` is ignored. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const xdg = env["XDG_CACHE_HOME"];
  const base =
    xdg !== undefined && isAbsolute(xdg) ? xdg : join(env["HOME"] ?? homedir(), ".cache");
  return join(base, "yoke");
}

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
