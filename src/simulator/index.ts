/** A GitHub that lives on loopback (docs/simulator.md). */
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { RealClock, SteppedClock } from "./clock.js";
import { deliver } from "./wire/deliver.js";
import { Faults } from "./wire/faults.js";
import { GitReads } from "./wire/git/git-reads.js";
import { RequestLog } from "./wire/http/request-log.js";
import { DEFAULT_LIMITS, Limits } from "./wire/limits.js";
import { ServedWorld } from "./wire/served-world.js";
import { serverOf } from "./wire/server.js";
import type { Defaults, Services } from "./wire/services.js";
import type { World } from "./world/world.js";

export interface SimulatorOptions {
  /** Repositories and `world.json`; made when absent. */
  readonly dataDir: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Default: real. */
  readonly clock?: "real" | "stepped";
  /** Start of a stepped clock, in milliseconds since the epoch. Default: now. */
  readonly start?: number;
  readonly defaults?: Defaults;
}

export interface Simulator {
  /** `http://127.0.0.1:PORT`: pages, git, and the admin API under `/_sim`. */
  readonly url: string;
  /** REST; GraphQL is beside it, under `/api/graphql`. */
  readonly apiUrl: string;
  readonly world: World;
  /** Log, faults and limits of the wire. */
  readonly services: Services;
  /** Stops listening, lets the world finish, and writes its state. */
  close(): Promise<void>;
}

/** Rejects when the port is taken or the data folder cannot be used. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const clock = options.clock === "stepped" ? new SteppedClock(options.start) : new RealClock();
  const defaults = options.defaults ?? {};
  const world = new ServedWorld({ dataDir: options.dataDir, clock, deliver });
  const git = new GitReads(world);
  const services: Services = {
    world,
    git,
    log: new RequestLog(),
    faults: new Faults(),
    limits: new Limits(clock, { ...DEFAULT_LIMITS, ...defaults.limits }),
    defaults,
  };
  const server = serverOf(services);
  const close = async (): Promise<void> => {
    const closed = server.listening ? once(server, "close") : null;
    server.close();
    server.closeAllConnections();
    await closed;
    await world.close();
    git.close();
  };
  try {
    server.listen(options.port ?? 0, "127.0.0.1");
    await once(server, "listening");
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  world.baseUrl = url;
  return { url, apiUrl: `${url}/api/v3`, world, services, close };
}
