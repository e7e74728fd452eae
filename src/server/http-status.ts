/** HTTP status of a refusal. The refusal itself is in the body; the status is for proxies and monitors. */
import type { Refusal, RefusalCode } from "../core/refusals.js";

export type RefusalStatus = 401 | 404 | 422 | 500 | 503;

const statusOf: Partial<Record<RefusalCode, RefusalStatus>> = {
  unauthorized: 401,
  function_unknown: 404,
  function_newer_than_server: 404,
  internal_error: 500,
  database_unavailable: 503,
  temporal_unavailable: 503,
  github_unavailable: 503,
  github_rate_limited: 503,
  no_worker: 503,
  credential_missing: 503,
};

export function httpStatus(refusals: readonly Refusal[]): RefusalStatus {
  const [first] = refusals;
  return first === undefined ? 500 : (statusOf[first.code] ?? 422);
}
