/**
 * What git and a server say may repeat a credential (a URL with user information, an echoed
 * header). Nothing leaves the git adapter before it went through here (cases E11, E13).
 */
import { redact as redactSecrets, Secret } from "../config/secret.js";
import type { GitCredential } from "./port.js";

const HIDDEN = "[secret]";

/** `user:password@` or `token@` in a URL; greedy up to the last `@` before the path. */
const USER_INFORMATION = /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#'"]+@/gi;
const AUTHORIZATION = /\b(authorization\s*:\s*)(?:(?:basic|bearer|token)\s+)?\S+/gi;

/** What of a credential must not be repeated: the password, and the two together as basic authentication. */
export function secretsOf({ username, password }: GitCredential): readonly Secret[] {
  if (password === "") return [];
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  return [new Secret(password), new Secret(basic)];
}

/** `text` without the given secrets, user information in URLs and authorization headers. */
export function redact(text: string, secrets: readonly Secret[] = []): string {
  return redactSecrets(text, secrets)
    .replace(USER_INFORMATION, `$1${HIDDEN}@`)
    .replace(AUTHORIZATION, `$1${HIDDEN}`);
}

/** Text of a remote for a terminal or a log: control characters other than line breaks and tabs are dropped. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  return text.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
