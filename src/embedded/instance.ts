/**
 * One instance a data folder. Each starter first publishes a claim that only it can own (its pid and
 * start time are in the name), then looks at the others: a claim whose process is gone is removed,
 * one whose process lives wins. No claim is ever overwritten or judged by its age, so there is no
 * moment in which two starters can both take over the lock of a dead one.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { refuse } from "../core/refusals.js";
import { Refused } from "../functions/context.js";
import { isAlive, isSame, parseIdentity, self, type ProcessIdentity } from "./process-identity.js";

const SUFFIX = ".lock";
const PREFIX = "instance.";

interface Claim {
  readonly file: string;
  readonly holder: ProcessIdentity;
  /** False while its owner still looks at the others. */
  readonly held: boolean;
}

export interface InstanceLock {
  readonly holder: ProcessIdentity;
  release(): Promise<void>;
}

/**
 * Takes the lock of `folder`, made when it is missing. Throws `Refused` with `instance_running` (pid
 * and folder) when another live process has it.
 */
export async function lockInstance(folder: string): Promise<InstanceLock> {
  await mkdir(folder, { recursive: true });
  const me = self();
  if ((await readClaims(folder)).some((claim) => isSame(claim.holder, me)))
    throw running(me, folder);
  const file = claimFile(folder, me);
  await publish(file, me, false);
  try {
    await outlastOtherClaims(folder, me);
    await publish(file, me, true);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return { holder: me, release: () => rm(file, { force: true }) };
}

/** The live process that has the folder's lock; null when none has. Changes nothing. */
export async function instanceHolder(folder: string): Promise<ProcessIdentity | null> {
  const claims = await readClaims(folder);
  return claims.find((claim) => claim.held && isAlive(claim.holder))?.holder ?? null;
}

/** Of two that claim at the same moment the older process wins; one that already holds always does. */
async function outlastOtherClaims(folder: string, me: ProcessIdentity): Promise<void> {
  for (;;) {
    const others = (await readClaims(folder)).filter((claim) => !isSame(claim.holder, me));
    const live: Claim[] = [];
    for (const claim of others) {
      if (isAlive(claim.holder)) live.push(claim);
      else await rm(claim.file, { force: true });
    }
    const winner = live.find((claim) => claim.held || isOlder(claim.holder, me));
    if (winner !== undefined) throw running(winner.holder, folder);
    if (live.length === 0) return;
    await delay(5);
  }
}

function isOlder(left: ProcessIdentity, right: ProcessIdentity): boolean {
  const ticks = Number(left.startTime) - Number(right.startTime);
  return ticks === 0 ? left.pid < right.pid : ticks < 0;
}

function running(holder: ProcessIdentity, folder: string): Refused {
  const pid = String(holder.pid);
  return new Refused([
    refuse("instance_running", `Process ${pid} is running on ${folder}.`, { pid, folder }),
  ]);
}

function claimFile(folder: string, me: ProcessIdentity): string {
  return join(folder, `${PREFIX}${String(me.pid)}-${me.startTime}${SUFFIX}`);
}

/** By rename, so that a reader never sees half a claim. */
async function publish(file: string, holder: ProcessIdentity, held: boolean): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify({ ...holder, held }), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function readClaims(folder: string): Promise<Claim[]> {
  const names = await readdir(folder).catch(() => []);
  const claims: Claim[] = [];
  for (const name of names) {
    if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) continue;
    const file = join(folder, name);
    const content = await readFile(file, "utf8").catch(() => null);
    // Its owner removed it between the listing and the reading.
    if (content === null) continue;
    const value: unknown = parseJson(content);
    const holder = parseIdentity(value);
    if (holder === null) throw new Error(`${file} is not a lock file of yoke`);
    claims.push({ file, holder, held: (value as { held?: unknown }).held === true });
  }
  return claims;
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}
