/** The batched read of many pull requests (A4.1, A15.1). */
import { z } from "zod";

import type { Observation } from "../core/landing/model.js";
import { OverloadError } from "./faults.js";
import { readPullRequest } from "./observation.js";
import type { ObservationBatch } from "./port.js";
import * as queries from "./queries.js";
import { errorsUnder, harmless, understood } from "./read.js";
import type { Transport } from "./transport.js";

/** Ids in one request: half of what GitHub takes, since it gives up after ten seconds. */
const PAGE = 50;

/** Failures in a row, without an answer in between, after which GitHub itself is taken to be unwell. */
const FAILURES_IN_A_ROW = 4;

const nodesShape = z.object({ nodes: z.array(z.unknown()) });

/**
 * Reads `nodeIds` page by page, one request at a time, as GitHub asks of its clients. A page that GitHub was too
 * slow for is halved, so that one heavy pull request ends up alone and `unreadable` and holds up no other (case A38).
 * Raises `GitHubError`; then nothing was decided from what was read before (A15.3). An outage costs four requests,
 * not a fan-out (case A32).
 */
export async function observe(
  transport: Transport,
  nodeIds: readonly string[],
): Promise<ObservationBatch> {
  const observations: Observation[] = [];
  const unreadable: { nodeId: string; why: string }[] = [];
  let requests = 0;
  let failures = 0;
  const pages = pagesOf([...new Set(nodeIds)]);

  for (let ids = pages.shift(); ids !== undefined; ids = pages.shift()) {
    requests += 1;
    try {
      const page = await observePage(transport, ids);
      failures = 0;
      observations.push(...page.observations);
      unreadable.push(...page.unreadable);
    } catch (error) {
      failures += 1;
      if (!(error instanceof OverloadError) || failures >= FAILURES_IN_A_ROW) throw error;
      const [only] = ids;
      if (ids.length === 1 && only !== undefined) {
        unreadable.push({ nodeId: only, why: error.message });
      } else {
        const half = Math.ceil(ids.length / 2);
        // To the end: the healthy half is read before the heavy one is halved again, which shows that GitHub is well.
        pages.push(ids.slice(0, half), ids.slice(half));
      }
    }
  }
  return { observations, unreadable, requests };
}

async function observePage(
  transport: Transport,
  ids: readonly string[],
): Promise<Omit<ObservationBatch, "requests">> {
  const document = ids.length < PAGE ? queries.observeLanded : queries.observe;
  const answer = await transport.ask(document, { ids }, "read");
  // An error that names no node speaks of the whole answer.
  const whole = answer.errors.filter(
    (error) =>
      !harmless(error) && !(error.path[0] === "nodes" && typeof error.path[1] === "number"),
  );
  if (whole.length > 0) throw transport.errorOf(answer, whole, "read");
  const { nodes } = understood(answer, nodesShape);

  const observations: Observation[] = [];
  const unreadable: { nodeId: string; why: string }[] = [];
  for (const [at, nodeId] of ids.entries()) {
    const errors = errorsUnder(answer.errors, ["nodes", at]);
    const reading = readPullRequest(nodes[at], errors, answer.readAt);
    if (reading.read === "observation") observations.push(reading.observation);
    else unreadable.push({ nodeId, why: reading.why });
  }
  return { observations, unreadable };
}

function pagesOf(ids: readonly string[]): (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, at) =>
    ids.slice(at * PAGE, (at + 1) * PAGE),
  );
}
