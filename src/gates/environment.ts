/**
 * The environment a gate runs with (C4.9). A list of what passes, not of what does not: no credential of yoke's or of
 * the shell it was started from reaches the code of a candidate.
 */
import { join } from "node:path";

/** Where programs, toolchains and their packages are found, and in which words they speak. */
const passes =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|TZ|LANG|LANGUAGE|LC_[A-Z]+|TMPDIR|(HTTPS?|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|NODE_PATH|NVM_DIR|VOLTA_HOME|JAVA_HOME|MAVEN_HOME|GRADLE_HOME|GOROOT|GOPROXY|GOSUMDB|GOTOOLCHAIN|CARGO_HOME|RUSTUP_HOME|RUSTUP_TOOLCHAIN|PYENV_ROOT|VIRTUAL_ENV|CONDA_PREFIX|PIP_INDEX_URL|PIP_CONFIG_FILE|NPM_CONFIG_REGISTRY)$/i;

/**
 * `cache`: a folder of the queue's own for this repository; what tools keep between runs goes there, so that a gate
 * shares no cache with anybody's lane. `declared`: the gate's own variables, which win.
 */
export function gateEnvironment(
  cache: string,
  declared: Readonly<Record<string, string>>,
  inherited: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const passed = Object.entries(inherited).filter(([name]) => passes.test(name));
  return {
    ...Object.fromEntries(passed),
    CI: "true",
    PRE_COMMIT_HOME: join(cache, "pre-commit"),
    XDG_CACHE_HOME: join(cache, "xdg"),
    PIP_CACHE_DIR: join(cache, "pip"),
    NPM_CONFIG_CACHE: join(cache, "npm"),
    GOCACHE: join(cache, "go"),
    // What a gate runs asks nobody, and finds its repository by where it is.
    GIT_TERMINAL_PROMPT: "0",
    ...declared,
  };
}
