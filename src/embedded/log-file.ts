/** Files that a service's output goes to, so that it survives the death of whoever started it. */
import { closeSync, openSync, renameSync, statSync } from "node:fs";
import { open } from "node:fs/promises";

/** A log that has grown beyond this is set aside (`.1`) when its service starts again. */
const ROTATE_BYTES = 16 * 1024 * 1024;

/** Gives `use` a descriptor that appends to `file`, and closes it afterwards: the child has its own. */
export function withLogFile<T>(file: string, use: (descriptor: number) => T): T {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_BYTES) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, "a", 0o600);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The last lines of a log, for the message about a service that would not start. */
export async function lastLines(file: string, count: number): Promise<string> {
  const handle = await open(file, "r").catch(() => null);
  if (handle === null) return "";
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, 8192);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8").trim().split("\n").slice(-count).join("\n");
  } finally {
    await handle.close();
  }
}
