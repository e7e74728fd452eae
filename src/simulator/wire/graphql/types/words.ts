/** Words of checks in GraphQL's spelling. */
import type { CheckConclusion, RunStatus } from "../../../world/model.js";

export function statusWord(status: RunStatus): string {
  return status.toUpperCase();
}

export function conclusionWord(conclusion: CheckConclusion): string;
export function conclusionWord(conclusion: CheckConclusion | null): string | null;
export function conclusionWord(conclusion: CheckConclusion | null): string | null {
  return conclusion === null ? null : conclusion.toUpperCase();
}
