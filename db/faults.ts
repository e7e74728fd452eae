/** What went wrong in Postgres, in words a caller can act on. */

/** A connection that is lost, refused or timed out, as Node and Postgres name it. */
const lostCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  // Class 57: an operator or a crash ends the session, or the server is still starting.
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  // Too many connections.
  "53300",
]);

/**
 * What pg 8.23 and pg-pool 3.14 say without a code. Stored from real runs: the server killed under a query, a query on
 * a connection that died before, and a pool whose connections are all out or cannot be opened in time.
 */
const lostMessages = new Set([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
]);

/** The error and its causes; drizzle wraps what pg threw. */
function* chain(error: unknown): Generator<object> {
  const seen = new Set<object>();
  let link = error;
  while (typeof link === "object" && link !== null && !seen.has(link)) {
    seen.add(link);
    yield link;
    link = "cause" in link ? link.cause : undefined;
  }
}

function textOf(link: object, member: "code" | "constraint" | "message"): string | null {
  const value: unknown = (link as Record<string, unknown>)[member];
  return typeof value === "string" ? value : null;
}

/** The name of the constraint that a write broke; null for every other error. Class 23 of the SQLSTATE codes. */
export function violated(error: unknown): string | null {
  for (const link of chain(error)) {
    if (textOf(link, "code")?.startsWith("23") === true) return textOf(link, "constraint");
  }
  return null;
}

/**
 * True when Postgres could not be reached or went away. A write that ended so may have been committed: read before
 * writing again, or write something that is the same when repeated.
 */
export function isUnavailable(error: unknown): boolean {
  for (const link of chain(error)) {
    const code = textOf(link, "code");
    if (code !== null && (lostCodes.has(code) || /^08[0-9A-Z]{3}$/.test(code))) return true;
    const message = textOf(link, "message");
    if (code === null && message !== null && lostMessages.has(message)) return true;
  }
  return false;
}
