import { describe, expect, it } from "vitest";
import { gateEnvironment } from "../../src/gates/environment.js";

describe("the environment of a gate", () => {
  it("C4.9 has no secret of ours, and nothing that points git elsewhere", () => {
    const env = gateEnvironment(
      "/cache",
      {},
      {
        PATH: "/bin",
        HOME: "/home/me",
        https_proxy: "http://proxy",
        YOKE_API_TOKEN: "canary",
        GITHUB_TOKEN: "canary",
        DATABASE_URL: "canary",
        SHOP_APP_KEY: "canary",
        GIT_DIR: "canary",
      },
    );
    expect(Object.values(env)).not.toContain("canary");
    expect(env).toMatchObject({ PATH: "/bin", HOME: "/home/me", https_proxy: "http://proxy" });
  });

  it("C4.9 has a PRE_COMMIT_HOME and caches of the queue's own; what the gate declares wins", () => {
    const env = gateEnvironment(
      "/cache",
      { PIP_CACHE_DIR: "/mine", LEVEL: "2" },
      { PRE_COMMIT_HOME: "/shared", XDG_CACHE_HOME: "/home/me/.cache" },
    );
    expect(env).toMatchObject({
      PRE_COMMIT_HOME: "/cache/pre-commit",
      XDG_CACHE_HOME: "/cache/xdg",
      PIP_CACHE_DIR: "/mine",
      LEVEL: "2",
    });
  });
});
