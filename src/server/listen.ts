/** Binds the app to a port, and lets go of it again. */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import type { Hono } from "hono";
import { refuse } from "../core/refusals.js";
import { Refused } from "../functions/context.js";

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Takes no new connection, waits for the requests under way, at most `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/** Throws `Refused` with `port_in_use`. Port 0 takes a free one. */
export async function listen(
  app: Hono,
  address: { host: string; port: number },
): Promise<Listening> {
  const { host, port } = address;
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const starting = serve({ fetch: app.fetch, hostname: host, port }, () => resolve(starting));
    starting.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EADDRINUSE") return reject(error);
      const what = `Another process listens on ${host}:${port}.`;
      return reject(new Refused([refuse("port_in_use", what, { port: String(port) })]));
    });
  });
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`,
    port: bound.port,
    close: (graceMs = 10_000) =>
      new Promise((resolve) => {
        const late = setTimeout(() => {
          if ("closeAllConnections" in server) server.closeAllConnections();
        }, graceMs);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        if ("closeIdleConnections" in server) server.closeIdleConnections();
      }),
  };
}
