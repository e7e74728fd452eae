/** Ports of the loopback interface. */
import { connect, createServer } from "node:net";
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

/** True when something accepts connections there. */
export async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: LOOPBACK });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/**
 * Resolves once the port accepts connections. A raw connection every 10 ms, because gRPC's own
 * waits a second after its first refusal. Rejects with the reason of `signal` when that comes first.
 */
export async function untilAccepts(port: number, signal: AbortSignal): Promise<void> {
  while (!(await accepts(port))) {
    signal.throwIfAborted();
    await delay(10);
  }
}
