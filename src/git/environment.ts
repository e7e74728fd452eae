/**
 * The environment git runs with. Inherited `GIT_*` could point it at another repository, index,
 * object store, configuration or program, or make it trace credentials; none of it gets through.
 */
export function gitEnvironment(
  extra: Readonly<Record<string, string>> = {},
  inherited: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (/^git_/i.test(name) || name === "SSH_ASKPASS") continue;
    env[name] = value;
  }
  return {
    ...env,
    // Messages and prompts are read by programs and must not be translated.
    LC_ALL: "C",
    // History is what the objects say, not what a replace ref or a graft file says.
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_GRAFT_FILE: "/dev/null",
    // Reading never waits for, or takes, the lane's index lock.
    GIT_OPTIONAL_LOCKS: "0",
    // Nobody sits at a terminal: an empty askpass means "ask no program", then the prompt is refused.
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    ...extra,
  };
}

/**
 * Configuration of every call. Hooks and the file system monitor are programs of the repository
 * that reads and clean-up must not start; `ext::` remotes run commands; maintenance would leave
 * processes behind. `status.showUntrackedFiles` holds for the check inside `git worktree remove`.
 */
export const GIT_CONFIGURATION: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "protocol.ext.allow=never",
  "gc.auto=0",
  "maintenance.auto=false",
  "status.showUntrackedFiles=normal",
  "status.submoduleSummary=false",
];
