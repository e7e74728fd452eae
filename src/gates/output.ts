/** What a gate wrote: all of it in a file, its head and tail in hand (C4.8). Bytes, which need not be UTF-8 (case C29). */
import { closeSync, openSync, writeSync } from "node:fs";

/** Of one run on disk. A gate that never stops writing does not fill the disk. */
const mostInFile = 64 * 1024 * 1024;
/** Of the head and of the tail each. */
const mostInHand = 16 * 1024;

export interface KeptOutput {
  readonly file: string;
  /** Bytes that the gate wrote. */
  readonly size: number;
  /** The file has not all of it. */
  readonly cut: boolean;
  /** For people: the first and the last of it, with what could not be decoded replaced. */
  readonly head: string;
  /** Empty when `head` has everything. */
  readonly tail: string;
}

/** Written at once: a process that is killed leaves what came until then. */
export function keepOutput(file: string): {
  readonly write: (chunk: Buffer) => void;
  readonly close: () => KeptOutput;
} {
  const descriptor = openSync(file, "w", 0o600);
  let [size, inFile] = [0, 0];
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  return {
    write(chunk) {
      size += chunk.length;
      const room = chunk.subarray(0, mostInFile - inFile);
      for (let at = 0; at < room.length;) at += writeSync(descriptor, room, at);
      inFile += room.length;
      const first = chunk.subarray(0, mostInHand - head.length);
      if (first.length > 0) head = Buffer.concat([head, first]);
      const rest = chunk.subarray(first.length);
      if (rest.length > 0) tail = Buffer.concat([tail, rest]).subarray(-mostInHand);
    },
    close() {
      closeSync(descriptor);
      return {
        file,
        size,
        cut: inFile < size,
        head: head.toString("utf8"),
        tail: Buffer.from(tail).toString("utf8"),
      };
    },
  };
}
