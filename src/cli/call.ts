/** Asks a function of the action core over HTTP: of `YOKE_API_URL`, or of the instance that runs on this machine. */
import { readFile } from "node:fs/promises";
import { readEnvironment } from "../config/environment.js";
import { readSecret } from "../config/secret.js";
import { EXIT, refuse, type Refusal } from "../core/refusals.js";
import { readServices } from "../embedded/services-file.js";
import type { Outcome } from "../functions/define.js";
import { version } from "../functions/version.js";

interface Endpoint {
  readonly url: string;
  readonly token: string;
  readonly session: string | null;
}

const refused = (...refusals: Refusal[]): Outcome<never> => ({
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
  if (api.token !== null) return { url, token: (await readSecret(api.token)).reveal(), session };
  const token = services === null ? "" : (await readFile(services.tokenFile, "utf8")).trim();
  return { url, token, session };
}

/** The function's outcome; a server that cannot be reached is a refusal too. */
export async function call<Output = Record<string, unknown>>(
  name: string,
  input: unknown,
): Promise<Outcome<Output>> {
  const target = await endpoint();
  if ("code" in target) return refused(target);
  let answer: Response;
  try {
    answer = await fetch(`${target.url}/api/functions/${name}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${target.token}`,
        "content-type": "application/json",
        "x-yoke-version": version,
        ...(target.session === null ? {} : { "x-yoke-session": target.session }),
      },
      body: JSON.stringify(input),
    });
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return refused(
      refuse("service_unreachable", `The yoke server at ${target.url} does not answer: ${cause}.`),
    );
  }
  return (await answer.json()) as Outcome<Output>;
}
