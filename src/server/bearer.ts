/** Who may call functions: the holder of the server's bearer token. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Secret } from "../config/secret.js";
import { refuse, type Refusal } from "../core/refusals.js";

/** Where the token comes from. It is read for each request, so a replaced file counts at once. */
export interface TokenSource {
  read(): Promise<Secret>;
  /** Such as `file:/var/lib/yoke/api-token`. */
  readonly where: string;
}

/** Null: the token is right. Compared by digest, so neither its length nor its beginning can be guessed by time. */
export async function refuseUnauthorized(
  authorization: string | undefined,
  token: TokenSource,
): Promise<Refusal | null> {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  const expected = await token.read();
  if (given !== undefined && timingSafeEqual(digest(given), digest(expected.reveal()))) return null;
  const what =
    given === undefined ? "The request has no bearer token" : "The bearer token is wrong";
  return refuse("unauthorized", `${what}. The server's token is kept in ${token.where}.`, {
    token: token.where,
  });
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
