/**
 * What git and a server say may repeat a credential (a URL with user information, an echoed
 * header). Nothing leaves the git adapter before it went through here (cases E11, E13).
 */

const HIDDEN = "[secret]";

/** `user:password@` or `token@` in a URL; greedy up to the last `@` before the path. */
const USER_INFORMATION = /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#'"]+@/gi;
const AUTHORIZATION = /\b(authorization\s*:\s*)(?:(?:basic|bearer|token)\s+)?\S+/gi;

/**
 * The forms in which a server or git may repeat a secret: as it is, percent-encoded as in a URL, and
 * inside basic authentication.
 */
export function formsOfSecret(username: string, password: string): readonly string[] {
  return [
    password,
    encodeURIComponent(password),
    Buffer.from(`${username}:${password}`).toString("base64"),
  ].filter((form) => form !== "");
}

/** `text` without user information in URLs, authorization headers and the given secrets. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let out = text;
  // Longest first, so that a secret that is part of another one leaves no rest behind.
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    if (secret !== "") out = out.replaceAll(secret, HIDDEN);
  }
  return out.replace(USER_INFORMATION, `$1${HIDDEN}@`).replace(AUTHORIZATION, `$1${HIDDEN}`);
}

/** Text of a remote for a terminal or a log: control characters other than line breaks and tabs are dropped. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  return text.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
