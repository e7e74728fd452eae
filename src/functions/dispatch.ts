/** The one way into the action core: every surface calls `dispatch` and prints what comes back. */
import { EXIT, refuse, type Refusal } from "../core/refusals.js";
import { Refused, type FunctionContext } from "./context.js";
import type { Outcome } from "./define.js";
import { outsideRefusal } from "./faults.js";
import { functionNamed } from "./registry.js";
import { compareReleases, version } from "./version.js";

export type { Outcome } from "./define.js";

export interface DispatchOptions {
  /** Release of the client that asks. */
  readonly clientVersion?: string | undefined;
  /** First release that carries the function, as the client knows it: the serving floor (A9.6). */
  readonly since?: string | undefined;
}

/** Something nobody foresaw. `reportId` is what a person quotes and what the log has the cause under. */
export class Bug extends Error {
  override readonly name = "Bug";
  constructor(
    readonly reportId: string,
    what: string,
    options: { readonly cause: unknown },
  ) {
    super(`${what}; report ${reportId}`, options);
  }
}

/**
 * Runs a function. Every refusal is a value, the exit status that of the first; a lost database, Temporal or GitHub is
 * a refusal too. Throws only `Bug`.
 */
export async function dispatch(
  context: FunctionContext,
  name: string,
  rawInput: unknown,
  options: DispatchOptions = {},
): Promise<Outcome> {
  const action = functionNamed(name);
  if (action === null) return refused([unknownFunction(name, options)]);
  try {
    return { ok: true, ...(await action.call(context, rawInput)) };
  } catch (error) {
    if (error instanceof Refused && error.refusals.length > 0) return refused(error.refusals);
    const known = outsideRefusal(error);
    if (known !== null) return refused([known]);
    throw new Bug(context.newId(), `${name} failed`, { cause: error });
  }
}

/** How a surface says that something unforeseen happened. */
export function bugRefusal(reportId: string): Refusal {
  return refuse("internal_error", `Something unforeseen happened; report id ${reportId}.`, {
    report: reportId,
  });
}

function refused(refusals: readonly Refusal[]): Outcome {
  return { ok: false, refusals, exit: refusals[0]?.exit ?? EXIT.failed };
}

/** A function the client knows and this build does not is newer than this build. */
function unknownFunction(name: string, { since, clientVersion }: DispatchOptions): Refusal {
  const floor = [since, clientVersion].find(
    (release) => release !== undefined && compareReleases(release, version) > 0,
  );
  if (floor !== undefined) {
    return refuse(
      "function_newer_than_server",
      `The server is yoke ${version} and has no function ${name}, which is served from ${floor} on.`,
      { function: name, since: floor, server: version },
    );
  }
  return refuse("function_unknown", `The server is yoke ${version} and has no function ${name}.`, {
    function: name,
    server: version,
  });
}
