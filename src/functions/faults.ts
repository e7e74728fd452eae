/** What breaks outside yoke, as refusals a caller can act on. Anything unknown here is a bug. */
import { isUnavailable } from "../../db/client.js";
import { SecretError } from "../config/secret.js";
import { githubFault, githubRefusal } from "../core/github-fault.js";
import { refuse, type Refusal } from "../core/refusals.js";

/** Null: nobody foresaw this error. */
export function outsideRefusal(error: unknown): Refusal | null {
  if (isUnavailable(error)) {
    return refuse("database_unavailable", "Postgres did not answer, or went away while it did.");
  }
  const configured = databaseConfiguration(error);
  if (configured !== null) return configured;
  if (temporalIsGone(error)) {
    return refuse("temporal_unavailable", "The Temporal server cannot be reached.");
  }
  const fault = githubFault(error);
  if (fault !== null) return githubRefusal(fault, "github_unavailable");
  if (error instanceof SecretError) {
    const source =
      /\b(?:variable|secret file|secret) (\S+)/.exec(error.message)?.[1] ?? "the secret";
    return refuse("credential_missing", `${sentence(error.message)}.`, { source });
  }
  return null;
}

/** Postgres answers and cannot be used: the SQLSTATE codes of a wrong URL, and of tables that are not there yet. */
function databaseConfiguration(error: unknown): Refusal | null {
  for (const link of chain(error)) {
    const state = "code" in link && typeof link.code === "string" ? link.code : "";
    if (/^(?:28[0-9A-Z]{3}|3D000)$/.test(state)) {
      return refuse("database_unavailable", `Postgres refused the connection: ${link.message}.`);
    }
    if (state === "42P01" || state === "42703") {
      return refuse(
        "database_schema_differs",
        `The database is not at this version of yoke: ${link.message}.`,
      );
    }
  }
  return null;
}

/** gRPC `UNAVAILABLE`, on the error or on what it was caused by (the Temporal client wraps it). */
function temporalIsGone(error: unknown): boolean {
  return [...chain(error)].some((link) => "code" in link && link.code === 14 && "details" in link);
}

/** The error and its causes. */
function* chain(error: unknown): Generator<Error> {
  const seen = new Set<Error>();
  for (let link = error; link instanceof Error && !seen.has(link); link = link.cause) {
    seen.add(link);
    yield link;
  }
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
