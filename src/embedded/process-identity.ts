/**
 * Which process is meant, beyond doubt. A pid alone is reused; the pair of pid and start time is not
 * within one boot, and the boot id tells two boots apart (Linux, proc_pid_stat(5)).
 */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of `/proc/<pid>/stat`: clock ticks after boot. */
  readonly startTime: string;
  readonly bootId: string;
}

/** The process that has this pid now; null when there is none, or only an unreaped dead one. */
export function identify(pid: number): ProcessIdentity | null {
  const [state] = statFields(pid);
  return state === "Z" || state === "X" ? null : identifyChild(pid);
}

/** The same of a child whose end was not taken notice of yet: it keeps its pid, dead or alive. */
export function identifyChild(pid: number): ProcessIdentity | null {
  const startTime = statFields(pid)[19];
  return startTime === undefined ? null : { pid, startTime, bootId: bootId() };
}

/** This very process. */
export function self(): ProcessIdentity {
  const identity = identify(process.pid);
  if (identity === null) throw new Error("this system has no /proc to tell processes apart by");
  return identity;
}

/** True when exactly this process still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  return isSame(identify(identity.pid), identity);
}

export function isSame(left: ProcessIdentity | null, right: ProcessIdentity): boolean {
  return (
    left !== null &&
    left.pid === right.pid &&
    left.startTime === right.startTime &&
    left.bootId === right.bootId
  );
}

/** Reads an identity that was stored as JSON; null when it is not one. */
export function parseIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== "object" || value === null) return null;
  const { pid, startTime, bootId } = value as Record<string, unknown>;
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0) return null;
  if (typeof startTime !== "string" || typeof bootId !== "string") return null;
  return { pid, startTime, bootId };
}

/** Resolves to true once none of these runs, to false when some still do after `withinMs`. */
export async function allEnd(
  identities: readonly ProcessIdentity[],
  withinMs: number,
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (identities.some(isAlive)) {
    if (performance.now() > deadline) return false;
    await delay(10);
  }
  return true;
}

/**
 * Sends `signal` to exactly this process; one that has ended, or whose pid is another's now, gets none.
 * SIGKILL goes to the whole group of a group leader, because it leaves no time to end its children.
 */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  const { pid } = identity;
  if (!isAlive(identity)) return;
  try {
    process.kill(signal === "SIGKILL" && groupOf(pid) === pid ? -pid : pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** One signal (null: none, only patience) and how long, in milliseconds, to wait for the end after it. */
export type StopStep = readonly [signal: NodeJS.Signals | null, waitMs: number];

/** Stops processes step by step, each step harder than the one before. Throws when one outlives them all. */
export async function stopProcesses(
  identities: readonly ProcessIdentity[],
  steps: readonly StopStep[],
): Promise<void> {
  for (const [signal, waitMs] of steps) {
    if (signal !== null) for (const identity of identities) signalProcess(identity, signal);
    if (await allEnd(identities, waitMs)) return;
  }
  const left = identities.filter(isAlive).map((identity) => identity.pid);
  throw new Error(`processes ${left.join(", ")} could not be stopped`);
}

function groupOf(pid: number): number {
  return Number(statFields(pid)[2]);
}

/** The fields of `/proc/<pid>/stat` from the third (state) on; none when there is no such process. */
function statFields(pid: number): string[] {
  const stat = readOrNull(`/proc/${String(pid)}/stat`);
  // The command name, field 2, may hold spaces and brackets; the fields after it may not.
  return stat === null ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ESRCH") return null;
    throw error;
  }
}
