/** Asks a function of the action core over HTTP: of `YOKE_API_URL`, or of the instance that runs on this machine. */
import { readEnvironment } from "../config/environment.js";
import { readSecret, SecretError } from "../config/secret.js";
import { EXIT, refuse, type Refusal } from "../core/refusals.js";
import { readServices } from "../embedded/services-file.js";
import type { Outcome } from "../functions/define.js";
import { version } from "../functions/version.js";

interface Endpoint {
  readonly url: string;
  readonly token: string;
  readonly session: string | null;
}

/** The outcome of a "no" that this command says itself; its exit status is the first refusal's own. */
export const refused = (...refusals: readonly Refusal[]): Outcome<never> => ({
  ok: false,
  refusals,
  exit: refusals[0]?.exit ?? EXIT.refused,
});

async function endpoint(): Promise<Endpoint | Refusal> {
  const read = readEnvironment();
  if (!read.ok) return read.refusal;
  const { api, dataDir, session } = read.environment;
  const services = api.url === null ? readServices(dataDir) : null;
  const url = api.url ?? services?.apiUrl ?? null;
  if (url === null) {
    return refuse("service_unreachable", `No yoke server runs on the data folder ${dataDir}.`);
  }
  const source = api.token ?? (services === null ? null : (`file:${services.tokenFile}` as const));
  if (source === null) return { url, token: "", session };
  try {
    return { url, token: (await readSecret(source)).reveal(), session };
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    return refuse("credential_missing", `No token for ${url}: ${error.message}.`, { source });
  }
}

/** Whoever stands in front of a server may answer in its place, and then not with an outcome. */
async function outcomeOf<Output>(answer: Response, url: string): Promise<Outcome<Output>> {
  const text = await answer.text();
  try {
    const outcome = JSON.parse(text) as Outcome<Output>;
    if (typeof outcome.ok === "boolean") return outcome;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const status = String(answer.status);
  const message = `${url} answered ${status}, and not as a yoke server does.`;
  return refused(
    refuse(answer.status === 401 ? "unauthorized" : "service_unreachable", message, { status }),
  );
}

/**
 * The function's outcome; a server that cannot be reached, or does not answer before `deadline`, is a refusal too. A
 * request that may change something is given no deadline: its answer is worth waiting for. `since`: the first release that carries the function, for a
 * server that may be older (A9.6).
 */
export async function call<Output = Record<string, unknown>>(
  name: string,
  input: unknown,
  deadline: AbortSignal | null = null,
  since: string | null = null,
): Promise<Outcome<Output>> {
  const target = await endpoint();
  if ("code" in target) return refused(target);
  try {
    const answer = await fetch(`${target.url}/api/functions/${name}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${target.token}`,
        "content-type": "application/json",
        "x-yoke-version": version,
        ...(since === null ? {} : { "x-yoke-since": since }),
        ...(target.session === null ? {} : { "x-yoke-session": target.session }),
      },
      body: JSON.stringify(input),
      signal: deadline,
    });
    return await outcomeOf(answer, target.url);
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return refused(
      refuse("service_unreachable", `The yoke server at ${target.url} does not answer: ${cause}.`),
    );
  }
}
