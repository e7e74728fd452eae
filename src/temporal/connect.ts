/** A Temporal client from the environment: the embedded server, a fleet's, or Temporal Cloud (design.md "Running it"). */
import { readFileSync } from "node:fs";
import { Client, Connection } from "@temporalio/client";
import type { Environment } from "../config/environment.js";
import { readSecret } from "../config/secret.js";

export interface TemporalTarget {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
  /** Paths of the client certificate and key, for mTLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly apiKey: string | null;
}

/** Where a Temporal server listens unless the environment says otherwise. */
const defaultAddress = "127.0.0.1:7233";

/** The target that the environment names; its API key is read here, once. */
export async function temporalTarget({ temporal }: Environment): Promise<TemporalTarget> {
  const { address, namespace, tls, apiKey } = temporal;
  return {
    address: address ?? defaultAddress,
    namespace,
    tls,
    apiKey: apiKey === null ? null : (await readSecret(apiKey)).reveal(),
  };
}

export interface TemporalClient {
  readonly client: Client;
  close(): Promise<void>;
}

/** Options that `Connection` (client) and `NativeConnection` (worker) share. */
export function connectionOptions(target: TemporalTarget) {
  const tls =
    target.tls === null
      ? target.apiKey !== null
      : {
          clientCertPair: { crt: readFileSync(target.tls.cert), key: readFileSync(target.tls.key) },
        };
  return {
    address: target.address,
    ...(tls === false ? {} : { tls }),
    ...(target.apiKey === null ? {} : { apiKey: target.apiKey }),
  };
}

/** Connects on first use and again after a loss; never waits here, so a server starts while Temporal is down. */
export function temporalClient(target: TemporalTarget): TemporalClient {
  const connection = Connection.lazy({ ...connectionOptions(target), connectTimeout: "5s" });
  return {
    client: new Client({ connection, namespace: target.namespace }),
    close: () => connection.close(),
  };
}
