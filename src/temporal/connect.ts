/** A Temporal client from the environment: the embedded server, a fleet's, or Temporal Cloud (design.md "Running it"). */
import { readFileSync } from "node:fs";
import { Client, Connection } from "@temporalio/client";

export interface TemporalTarget {
  /** `host:port`. */
  readonly address: string;
  readonly namespace: string;
  /** Paths of the client certificate and key, for mTLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly apiKey: string | null;
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
