/** A request and who is to answer it. */
import type { ServerResponse } from "node:http";

import type { Answer } from "./http/answer.js";
import type { Incoming } from "./http/incoming.js";
import type { LoggedRequest, RequestKind } from "./http/request-log.js";
import type { Fault } from "./faults.js";

export interface Exchange {
  readonly incoming: Incoming;
  readonly logged: LoggedRequest;
  readonly fault: Fault | null;
  /** For what is streamed; everything else returns its answer. */
  readonly response: ServerResponse;
}

/** `streamed`: the response has been written already. */
export type Handled = Answer | "streamed";

export interface Handling {
  readonly kind: RequestKind;
  readonly route: string;
  /** Of a GraphQL request: its name, root fields, and every field it selects. */
  readonly operation?: string | null;
  readonly fields?: readonly string[];
  readonly selected?: ReadonlySet<string>;
  /** Why no real client should have sent it. */
  readonly unexpected?: string;
  readonly answer: (exchange: Exchange) => Promise<Handled> | Handled;
}
