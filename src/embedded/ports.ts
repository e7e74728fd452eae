/** Ports of the loopback interface. */
import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const LOOPBACK = "127.0.0.1";

/** `preferred` when nothing listens there, else a port the system gives. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined) {
    const port = await listenOnce(preferred);
    if (port !== null) return port;
  }
  const port = await listenOnce(0);
  if (port === null) throw new Error("the system has no free port");
  return port;
}

/** The port when one could listen there, else null. */
async function listenOnce(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(null);
      else reject(error);
    });
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      const address = server.address();
      const given = typeof address === "object" && address !== null ? address.port : null;
      server.close(() => resolve(given));
    });
  });
}

/**
 * Resolves once the process listens on the port. Asked of the system every 10 ms: a connection that is accepted would
 * not tell whose it is (another program may have the port, and ours be about to fail), and gRPC's
 * own readiness waits a second after its first refusal. `pidOf` may change between two looks.
 * Rejects with the reason of `signal` when that comes first.
 */
export async function untilListens(
  pidOf: () => number | null,
  port: number,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const pid = pidOf();
    if (pid !== null && (await listens(pid, port))) return;
    await delay(10);
  }
}

/** proc_pid_net(5): the sockets in state LISTEN (0A), by inode; the process has one of them open. */
async function listens(pid: number, port: number): Promise<boolean> {
  const process = `/proc/${String(pid)}`;
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((table) => readFile(`${process}/net/${table}`, "utf8").catch(() => "")),
  );
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const inodes = new Set<string>();
  for (const line of tables.join("\n").split("\n")) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    if (local?.endsWith(`:${hex}`) === true && state === "0A" && inode !== undefined) {
      inodes.add(`socket:[${inode}]`);
    }
  }
  if (inodes.size === 0) return false;
  const descriptors = await readdir(`${process}/fd`).catch(() => []);
  const targets = await Promise.all(
    descriptors.map((name) => readlink(`${process}/fd/${name}`).catch(() => "")),
  );
  return targets.some((target) => inodes.has(target));
}
