/**
 * The catalogue of refusals. Every "no" of the product is a value made here: a code (API, never
 * renamed), an exit status, what was seen, and what to do next (style.md "Refusals and errors").
 */
import { closeOutKinds } from "./refusals/close-out.js";
import type { ExitStatus, RefusalKind } from "./refusals/kind.js";
import { landingKinds } from "./refusals/landing.js";
import { recordKinds } from "./refusals/records.js";
import { recoveryKinds } from "./refusals/recovery.js";
import { releaseKinds } from "./refusals/releases.js";
import { serviceKinds } from "./refusals/services.js";

export { EXIT, type ExitStatus, type RefusalKind } from "./refusals/kind.js";

/** One refusal as it is said: serialisable, so it crosses workflows, HTTP and the command line unchanged. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly exit: ExitStatus;
  /** What was seen, in words, with the values that decided it. */
  readonly message: string;
  /** What to do next. */
  readonly next: string;
  /** The values seen, by name. Never a secret. */
  readonly seen: Readonly<Record<string, string>>;
}

/** The chapters of the catalogue, in the order of the generated page. */
export const chapters = {
  "Preparing and arming": landingKinds,
  "Rerunning and retrying": recoveryKinds,
  "Proving and closing out": closeOutKinds,
  "Projects, items, lanes and sessions": recordKinds,
  "Epics and releases": releaseKinds,
  "Services and surfaces": serviceKinds,
} as const satisfies Record<string, Readonly<Record<string, RefusalKind>>>;

const kinds = {
  ...landingKinds,
  ...recoveryKinds,
  ...closeOutKinds,
  ...recordKinds,
  ...releaseKinds,
  ...serviceKinds,
};

export type RefusalCode = keyof typeof kinds;

export const catalogue: Readonly<Record<RefusalCode, RefusalKind>> = kinds;

/** Fills `{name}` slots from `seen`; a slot without a value reads as its name in capitals, as in a usage line. */
function fill(text: string, seen: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_slot, name: string) => seen[name] ?? name.toUpperCase());
}

/**
 * Makes the refusal `code` with what was seen. `{name}` slots of the standing recovery are filled from `seen`;
 * `next` replaces the standing recovery when this case has a better one.
 */
export function refuse(
  code: RefusalCode,
  message: string,
  seen: Readonly<Record<string, string>> = {},
  next?: string,
): Refusal {
  const kind: RefusalKind = catalogue[code];
  return { code, exit: kind.exit, message, next: fill(next ?? kind.next, seen), seen };
}
