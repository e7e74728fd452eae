/** Who we are to GitHub: a token, or an App's installation (B5.4). */
import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/core";

import { readSecret, Secret } from "../config/secret.js";
import type { SecretRef } from "../core/records.js";

/** A secret in memory, or where it is kept; a reference is read when it is needed, so a renewed file is picked up. */
export type SecretSource = Secret | SecretRef;

export type Credential =
  | { readonly kind: "token"; readonly token: SecretSource }
  | {
      readonly kind: "app";
      readonly appId: number;
      readonly installationId: number;
      readonly privateKey: SecretSource;
    };

export interface TokenSource {
  /** The token for the next request. `fresh`: it was made by this very call, so asking again changes nothing. */
  token(): Promise<{ readonly token: Secret; readonly fresh: boolean }>;
  /** GitHub refused this token: the next call makes a new one where that is possible. */
  refused(token: Secret): void;
  /** Every secret that was ever handed out or read, to be kept out of messages. */
  secrets(): readonly Secret[];
}

/** An installation token lives an hour; one that ends within this is not used for another request. */
const RENEW_BEFORE_MS = 5 * 60_000;

export function createTokenSource(
  credential: Credential,
  octokit: Octokit,
  now: () => number,
): TokenSource {
  return credential.kind === "token"
    ? personalToken(credential.token)
    : installationToken(credential, octokit, now);
}

function personalToken(source: SecretSource): TokenSource {
  let last: Secret | null = null;
  return {
    async token() {
      last = await resolve(source);
      return { token: last, fresh: true };
    },
    refused() {},
    secrets: () => (last === null ? [] : [last]),
  };
}

/**
 * Uses the App strategy for its key handling and its token request only. Its request hook is left out: it sends a
 * request again on 401 while a token is young, and a write must be sent once (github-facts 5.4).
 */
function installationToken(
  credential: Extract<Credential, { kind: "app" }>,
  octokit: Octokit,
  now: () => number,
): TokenSource {
  let held: { readonly token: Secret; readonly endsAt: number } | null = null;
  let pending: Promise<Secret> | null = null;
  /** The key and the newest two tokens: an answer may still speak of the one before. */
  let known: readonly Secret[] = [];

  const make = async (): Promise<Secret> => {
    const key = await resolve(credential.privateKey);
    known = [key, ...known.slice(1)];
    const auth = createAppAuth({
      appId: credential.appId,
      installationId: credential.installationId,
      privateKey: key.reveal(),
      request: octokit.request,
      log: octokit.log,
    });
    const answer = await auth({ type: "installation", refresh: true });
    const token = new Secret(answer.token);
    known = [key, token, ...known.slice(1, 2)];
    held = { token, endsAt: Date.parse(answer.expiresAt) };
    return token;
  };

  return {
    async token() {
      if (held !== null && held.endsAt - now() > RENEW_BEFORE_MS) {
        return { token: held.token, fresh: false };
      }
      pending ??= make().finally(() => {
        pending = null;
      });
      return { token: await pending, fresh: true };
    },
    refused(token) {
      if (held?.token === token) held = null;
    },
    secrets: () => known,
  };
}

async function resolve(source: SecretSource): Promise<Secret> {
  return source instanceof Secret ? source : readSecret(source);
}
