/** Secrets: one type that never prints itself, where they come from, and how they are kept out of text (case E11). */
import { open } from "node:fs/promises";
import { inspect } from "node:util";

import type { SecretRef } from "../core/records.js";

const HIDDEN = "[secret]";

/** A secret in memory. It prints as `[secret]` in every way a value is usually printed; only `reveal` gives it away. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    if (value === "") throw new SecretError("an empty text is no secret");
    this.#value = value;
  }

  /** The secret itself, for the one call that needs it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}

/** A secret cannot be read. The message names the reference and what to do, never a value. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}

/** No secret is longer than this; a larger file is a mistake in the reference. */
const LARGEST_FILE = 64 * 1024;

const READABLE_BY_OTHERS = 0o077;

/**
 * Reads a secret from where `ref` says: `env:NAME` or `file:PATH`. Line breaks at the end are dropped.
 * A file that its group or others may touch is refused, as ssh does. Raises `SecretError`.
 */
export async function readSecret(
  ref: SecretRef,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Secret> {
  const value = ref.startsWith("env:")
    ? fromEnvironment(ref.slice("env:".length), environment)
    : await fromFile(ref.slice("file:".length));
  const trimmed = value.replace(/[\r\n]+$/, "");
  if (trimmed.trim() === "") throw new SecretError(`the secret ${ref} is empty; write it there`);
  return new Secret(trimmed);
}

function fromEnvironment(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const value = environment[name];
  if (value === undefined) {
    throw new SecretError(`the environment variable ${name} is not set; set it to the secret`);
  }
  return value;
}

async function fromFile(path: string): Promise<string> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    throw new SecretError(`the secret file ${path} cannot be read (${error.code ?? "unknown"})`);
  });
  try {
    // Asked of the open file: the path could name another file by the time it is read.
    const stat = await file.stat();
    if (!stat.isFile()) throw new SecretError(`the secret file ${path} is not a regular file`);
    if ((stat.mode & READABLE_BY_OTHERS) !== 0) {
      const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
      throw new SecretError(
        `the secret file ${path} has mode ${mode}, so others than its owner may use it; run: chmod 600 ${path}`,
      );
    }
    if (stat.size > LARGEST_FILE) {
      throw new SecretError(`the secret file ${path} is larger than ${LARGEST_FILE} bytes`);
    }
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** `text` with every one of `secrets` replaced: as it is, percent-encoded, and in JSON's and base64's spelling. */
export function redact(text: string, secrets: readonly Secret[]): string {
  const forms = secrets.flatMap((secret) => {
    const value = secret.reveal();
    return [
      value,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString("base64"),
    ];
  });
  // Longest first, so that a secret that is part of another leaves no rest behind.
  return [...new Set(forms)]
    .sort((a, b) => b.length - a.length)
    .reduce((kept, form) => kept.replaceAll(form, HIDDEN), text);
}
