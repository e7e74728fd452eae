import { homedir } from "node:os";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { cachePath, configPath, statePath } from "../../src/config/paths.js";

const folders = [
  { name: "state", read: statePath, variable: "XDG_STATE_HOME", underHome: ".local/state/yoke" },
  { name: "cache", read: cachePath, variable: "XDG_CACHE_HOME", underHome: ".cache/yoke" },
  { name: "config", read: configPath, variable: "XDG_CONFIG_HOME", underHome: ".config/yoke" },
] as const;

describe("folders of the user", () => {
  for (const { name, read, variable, underHome } of folders) {
    it(`${name}: the variable, else the home folder`, () => {
      expect(read({ [variable]: "/srv/base", HOME: "/home/ada" })).toBe("/srv/base/yoke");
      expect(read({ HOME: "/home/ada" })).toBe(`/home/ada/${underHome}`);
      expect(read({})).toBe(join(homedir(), underHome));
    });

    it(`${name}: an empty or relative variable counts as unset, as the specification says`, () => {
      for (const value of ["", "relative/base", "./x"]) {
        expect(read({ [variable]: value, HOME: "/home/ada" })).toBe(`/home/ada/${underHome}`);
      }
    });
  }
});
