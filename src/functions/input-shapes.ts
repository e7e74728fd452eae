/** Fields that several inputs have, each with a message that says what is expected. */
import { z } from "zod";
import type { SecretRef } from "../core/records.js";

export const projectKey = z
  .string()
  .regex(
    /^[A-Z][A-Z0-9]{1,9}$/,
    "expected a project key such as YOK: 2 to 10 capitals and digits, a capital first",
  );

export const itemKey = z
  .string()
  .regex(/^[A-Z][A-Z0-9]{1,9}-[1-9]\d{0,8}$/, "expected an item such as YOK-7");

/** A full commit or tree id. */
export const oid = z
  .string()
  .regex(/^[0-9a-f]{40}$/, "expected a full git object id of 40 lower-case hex digits");

/** `.yoke/merge-queue.json` as git on a host read it at one commit. */
export const declarationRead = z.discriminatedUnion("read", [
  z.object({ read: z.literal("text"), text: z.string().max(65_536) }),
  z.object({ read: z.literal("absent") }),
  z.object({ read: z.literal("unreadable"), why: z.string() }),
]);

export const words = (what: string, longest: number) =>
  z
    .string()
    .trim()
    .min(1, `expected ${what}, not nothing`)
    .max(longest, `expected at most ${longest} characters`);

/** One word of printable ASCII, so that it stays one word wherever it is shown. */
export const word = (what: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, `expected ${what}: one word of up to 200 ASCII characters`);

export const absolutePath = z
  .string()
  .max(4096, "expected at most 4096 characters")
  .regex(/^\//, "expected an absolute path");

export const branchName = z
  .string()
  .regex(
    /^(?![/.-])(?!.*(?:\/\/|\.\.|@\{|\/\.|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]{1,244}(?<![/.])$/u,
    "expected the name of a git branch, without refs/heads/",
  );

export const secretRef = z
  .string()
  .regex(
    /^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:\/.+)$/,
    "expected env:NAME or file:/absolute/path, never the secret itself",
  )
  .transform((value) => value as SecretRef);
