/** JSON Web Tokens of Apps: RS256, at most ten minutes. */
import { createVerify } from "node:crypto";

import type { Engine } from "./engine.js";
import type { App } from "./model.js";

const LONGEST_SECONDS = 10 * 60 + 60;

/**
 * The App a JWT is signed by, or null. Its times are the caller's own clock, so they are compared with this
 * computer's time and not with the simulator's, which may be stepped.
 */
export function appOfJwt(engine: Engine, jwt: string): App | null {
  const [header = "", claims = "", signature = ""] = jwt.split(".");
  const parsed = parse(header, claims);
  if (parsed === null) return null;
  const app = engine.state.apps.find((one) => String(one.id) === String(parsed.iss));
  if (app === undefined) return null;
  const genuine = createVerify("RSA-SHA256")
    .update(`${header}.${claims}`)
    .verify(app.publicKey, signature, "base64url");
  const now = Date.now() / 1000;
  const alive = parsed.exp > now && parsed.exp - parsed.iat <= LONGEST_SECONDS;
  return genuine && alive ? app : null;
}

function parse(
  header: string,
  claims: string,
): { readonly iss: unknown; readonly exp: number; readonly iat: number } | null {
  try {
    const { alg } = decode(header);
    const { iss, exp, iat } = decode(claims);
    if (alg !== "RS256" || typeof exp !== "number" || typeof iat !== "number") return null;
    return { iss, exp, iat };
  } catch {
    return null;
  }
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
}
