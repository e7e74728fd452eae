/** Who may call functions: the holder of the server's bearer token. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Secret } from "../config/secret.js";
import { refuse, type Refusal } from "../core/refusals.js";

/** Reads the token, for each request, so that a replaced file counts at once. */
export type TokenSource = () => Promise<Secret>;

/**
 * Null: the token is right. Compared by digest, so neither its length nor its beginning can be guessed by time. Where
 * the server keeps it is nothing for somebody who does not have it.
 */
export async function refuseUnauthorized(
  authorization: string | undefined,
  token: TokenSource,
): Promise<Refusal | null> {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  const expected = await token();
  if (given !== undefined && timingSafeEqual(digest(given), digest(expected.reveal()))) return null;
  const what =
    given === undefined ? "The request has no bearer token" : "The bearer token is wrong";
  return refuse("unauthorized", `${what}.`);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
