/**
 * Handing a credential to one git process. Git asks a program of ours; that program reads the
 * values from the environment of this process tree. They are never in an argument list, a URL,
 * a configuration or a file (cases E11, E13).
 */
import { fileURLToPath } from "node:url";

import type { GitCredential } from "./port.js";
import { secretsOf } from "./redact.js";
import type { RunOptions } from "./run.js";

/** Part of this package, so that a process that was killed leaves nothing. */
const ASKPASS = fileURLToPath(new URL("askpass.sh", import.meta.url));

/** What one run of git needs to use a credential. */
export type CredentialOptions = Pick<RunOptions, "env" | "config" | "secrets">;

/**
 * Runs `use` with the options that let git ask for `credential` at the origin of `url`. A URL that is not http(s) (ssh, a path) asks no password,
 * and one of another origin than `credential.origin` gets none: then there are no options.
 */
export async function withCredential<T>(
  credential: GitCredential | null,
  url: string,
  use: (options: CredentialOptions) => Promise<T>,
): Promise<T> {
  const origin = credential === null ? null : originOf(url);
  if (credential === null || origin === null || !isFor(credential, origin)) return use({});
  return use({
    env: {
      GIT_ASKPASS: ASKPASS,
      YOKE_GIT_SCHEME: origin.scheme,
      YOKE_GIT_HOST: origin.host,
      YOKE_GIT_USERNAME: credential.username,
      YOKE_GIT_PASSWORD: credential.password,
    },
    // An empty helper forgets the configured ones: they would answer first, and they would be
    // given our credential to store. The path stays out of the prompt, so its form is known.
    config: ["credential.helper=", "credential.useHttpPath=false"],
    secrets: secretsOf(credential),
  });
}

interface Origin {
  readonly scheme: "http" | "https";
  readonly host: string;
}

/** Scheme and host, with the port as it is written: that is how git names it in its prompt. */
function originOf(url: string): Origin | null {
  const match = /^(https?):\/\/(?:[^/?#]*@)?([^/?#@]+)/i.exec(url);
  if (match === null) return null;
  const scheme = match[1]?.toLowerCase() === "http" ? "http" : "https";
  return { scheme, host: match[2] ?? "" };
}

function isFor(credential: GitCredential, origin: Origin): boolean {
  if (credential.origin === undefined) return true;
  const [wanted, remote] = [credential.origin, `${origin.scheme}://${origin.host}`];
  if (!URL.canParse(wanted) || !URL.canParse(remote)) return false;
  return new URL(wanted).origin === new URL(remote).origin;
}
