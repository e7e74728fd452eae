/** One line of `yoke doctor`. */
import { Refused } from "./context.js";
import { outsideRefusal } from "./faults.js";

export interface Check {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  /** What to do; null when all is well. */
  readonly next: string | null;
}

export function ok(name: string, text: string): Check {
  return { name, state: "ok", text, next: null };
}

/** A check that could not be made, told as the refusal it stands for. What nobody foresaw is told in its own words. */
export function failed(name: string, error: unknown): Check {
  const refusal = error instanceof Refused ? error.refusals[0] : outsideRefusal(error);
  if (refusal !== null && refusal !== undefined) {
    const { code, message, next } = refusal;
    return { name, state: "fail", text: `${code}: ${message}`, next };
  }
  const said = error instanceof Error ? error.message : String(error);
  return { name, state: "fail", text: said, next: "Look the message up in the server's log." };
}
