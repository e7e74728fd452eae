/**
 * Folders of this user, by the XDG base directory rules (freedesktop.org, Base Directory
 * Specification): a variable that is unset, empty or relative counts as unset. Names only; nothing
 * is made here. No dependency: the command line reads this before it knows what it will do.
 */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/** Data of one machine's services: `$XDG_STATE_HOME/yoke`, else `~/.local/state/yoke`. */
export function statePath(env: Variables = process.env): string {
  return below(env, "XDG_STATE_HOME", ".local/state");
}

/** What can be fetched again: `$XDG_CACHE_HOME/yoke`, else `~/.cache/yoke`. */
export function cachePath(env: Variables = process.env): string {
  return below(env, "XDG_CACHE_HOME", ".cache");
}

/** The user's own settings: `$XDG_CONFIG_HOME/yoke`, else `~/.config/yoke`. */
export function configPath(env: Variables = process.env): string {
  return below(env, "XDG_CONFIG_HOME", ".config");
}

function below(env: Variables, variable: string, underHome: string): string {
  return join(absolute(env[variable]) ?? join(home(env), underHome), "yoke");
}

function home(env: Variables): string {
  return absolute(env["HOME"]) ?? homedir();
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}
