import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, it, vi } from "vitest";

import { atLeast, createGit, MINIMUM_GIT, parseGitVersion } from "../../src/git/index.js";
import { temporaryFolder } from "./repositories.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the version of git", () => {
  it("is read from what the builds of the platforms say", () => {
    expect(parseGitVersion("git version 2.39.5")).toBe("2.39.5");
    expect(parseGitVersion("git version 2.39.5 (Apple Git-154)")).toBe("2.39.5");
    expect(parseGitVersion("git version 2.43.0.windows.1")).toBe("2.43.0");
    expect(parseGitVersion("git version 2.52.0.rc1")).toBe("2.52.0");
    expect(() => parseGitVersion("hub version 2")).toThrow(/names no version/);
  });

  it("is compared number by number", () => {
    for (const enough of ["2.39", "2.39.0", "2.39.5", "2.100.0", "3.0"]) {
      expect(atLeast(enough, MINIMUM_GIT)).toBe(true);
    }
    for (const old of ["2.38.9", "2.4.0", "1.99"]) expect(atLeast(old, MINIMUM_GIT)).toBe(false);
  });

  it("an old git is named and refused, and the next call looks again", async () => {
    const folder = temporaryFolder();
    const program = join(folder, "git");
    writeFileSync(program, "#!/bin/sh\necho git version 2.30.2\n");
    chmodSync(program, 0o755);
    const adapter = createGit();
    vi.stubEnv("PATH", folder);
    expect(await adapter.version()).toBe("2.30.2");
    await expect(adapter.readLane(folder)).rejects.toThrow("git 2.30.2 is older than 2.39");
    vi.unstubAllEnvs();
    await expect(adapter.readLane(folder)).rejects.toThrow(/not a git repository/);
    expect(atLeast(await adapter.version(), MINIMUM_GIT)).toBe(true);
  });
});
