/**
 * Process groups that this process started and that still run. A child gets its own group, so
 * that a limit ends git *and* what git started (ssh, a remote helper, a pack process), not the
 * first process only (case C30).
 */
import { readdirSync, readFileSync } from "node:fs";

const running = new Set<number>();
let watching = false;

function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, name);
    return true;
  } catch {
    return false;
  }
}

/** A group of its own does not get the terminal's Ctrl-C: when we go, it goes. */
function watchOwnExit(): void {
  if (watching) return;
  watching = true;
  process.on("exit", () => {
    for (const group of running) signal(group, "SIGKILL");
  });
}

export function groupStarted(group: number): void {
  watchOwnExit();
  running.add(group);
}

export function groupEnded(group: number): void {
  running.delete(group);
}

/**
 * Whether any process of the group still runs. A dead one that nobody has collected (there is no
 * init in a container) answers signals too, so where there is a `/proc` its word decides.
 */
export function groupLives(group: number): boolean {
  if (!signal(group, 0)) return false;
  let processes: string[];
  try {
    processes = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  } catch {
    return true;
  }
  return processes.length === 0 || processes.some((pid) => runsIn(pid, group));
}

function runsIn(pid: string, group: number): boolean {
  try {
    // "pid (name) state parent group …"; the name may hold spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, , inGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(inGroup) === group && state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}

/**
 * Asks the whole group to end and, `graceMs` later, makes it. Resolves when no process of the
 * group is left, or with `false` when one survived SIGKILL by a second (a process in an
 * uninterruptible wait).
 */
export async function endGroup(group: number, graceMs: number): Promise<boolean> {
  signal(group, "SIGTERM");
  if (await gone(group, graceMs)) return true;
  signal(group, "SIGKILL");
  return gone(group, 1_000);
}

/** Node has no event for "the group is empty", so this looks, with growing pauses. */
async function gone(group: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    if (!groupLives(group)) return true;
    const left = until - performance.now();
    if (left <= 0) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)));
  }
}
