/** Ports of the loopback interface. */
import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const LOOPBACK = "127.0.0.1";

/** Addresses a listener on which keeps 127.0.0.1 taken, as the kernel writes them in hex. */
const IN_THE_WAY: ReadonlySet<string> = new Set([
  "0100007F",
  "00000000",
  "0".repeat(32),
  "0000000000000000FFFF00000100007F",
]);

/** `preferred` when nothing listens there, else a port the system gives. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && !(await isTaken(preferred))) return preferred;
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port: 0, host: LOOPBACK, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === "object" && address !== null) resolve(address.port);
        else reject(new Error("the system gave no port"));
      });
    });
  });
}

/**
 * Whether something listens on the port. Asked of the system and not tried: to listen for the sake of looking would be
 * in the way of whoever starts at that moment.
 */
export async function isTaken(port: number): Promise<boolean> {
  const listeners = await listenersOn("self", port);
  return listeners.some(({ address }) => IN_THE_WAY.has(address));
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

async function listens(pid: number, port: number): Promise<boolean> {
  const process = String(pid);
  const listeners = await listenersOn(process, port);
  const inodes = new Set(listeners.map(({ inode }) => `socket:[${inode}]`));
  if (inodes.size === 0) return false;
  const descriptors = await readdir(`/proc/${process}/fd`).catch(() => []);
  const targets = await Promise.all(
    descriptors.map((name) => readlink(`/proc/${process}/fd/${name}`).catch(() => "")),
  );
  return targets.some((target) => inodes.has(target));
}

/** proc_pid_net(5): the sockets in state LISTEN (0A) of the network that the process sees. */
async function listenersOn(
  process: string,
  port: number,
): Promise<{ readonly address: string; readonly inode: string }[]> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((table) =>
      readFile(`/proc/${process}/net/${table}`, "utf8").catch(() => ""),
    ),
  );
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  return tables
    .join("\n")
    .split("\n")
    .flatMap((line) => {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      const [address, at] = local?.split(":") ?? [];
      if (address === undefined || inode === undefined || at !== hex || state !== "0A") return [];
      return [{ address, inode }];
    });
}
