/**
 * The mutations. Each is sent exactly once; a lost reply raises `uncertain` and is never repaired here (case A31).
 * No merge method is ever sent: the queue decides it, and GitHub refuses it in some versions (case A10).
 */
import { z } from "zod";

import type { Observation } from "../core/landing/model.js";
import { readPullRequest } from "./observation.js";
import { GitHubError } from "./port.js";
import * as queries from "./queries.js";
import { errorsUnder } from "./read.js";
import type { Answer, Transport } from "./transport.js";

export function enableAutoMerge(
  transport: Transport,
  ask: { readonly nodeId: string; readonly expectedHead: string },
): Promise<void> {
  const input = { pullRequestId: ask.nodeId, expectedHeadOid: ask.expectedHead };
  return write(transport, queries.enableAutoMerge, "enablePullRequestAutoMerge", input);
}

export function disableAutoMerge(
  transport: Transport,
  ask: { readonly nodeId: string },
): Promise<void> {
  const input = { pullRequestId: ask.nodeId };
  return write(transport, queries.disableAutoMerge, "disablePullRequestAutoMerge", input);
}

export function enqueue(
  transport: Transport,
  ask: { readonly nodeId: string; readonly expectedHead: string },
): Promise<void> {
  const input = { pullRequestId: ask.nodeId, expectedHeadOid: ask.expectedHead };
  return write(transport, queries.enqueue, "enqueuePullRequest", input);
}

/** The input's name is `id`, unlike that of the other three (github-facts 1.3). */
export function dequeue(transport: Transport, ask: { readonly nodeId: string }): Promise<void> {
  return write(transport, queries.dequeue, "dequeuePullRequest", { id: ask.nodeId });
}

/** Raises `uncertain`, too, when GitHub opened it but could not show it. */
export async function openPullRequest(
  transport: Transport,
  ask: {
    readonly repositoryNodeId: string;
    readonly headBranch: string;
    readonly baseBranch: string;
    readonly title: string;
    readonly body: string;
  },
): Promise<Observation> {
  const field = "createPullRequest";
  const input = {
    repositoryId: ask.repositoryNodeId,
    headRefName: ask.headBranch,
    baseRefName: ask.baseBranch,
    title: ask.title,
    body: ask.body,
  };
  const answer = await transport.ask(queries.createPullRequest, { input }, "write");
  const payload = done(transport, answer, field);
  const { pullRequest } = z.object({ pullRequest: z.unknown() }).parse(payload);
  const errors = errorsUnder(answer.errors, [field, "pullRequest"]);
  const reading = readPullRequest(pullRequest, errors, answer.readAt);
  if (reading.read === "observation") return reading.observation;
  const message = `GitHub opened the pull request but did not show it: ${reading.why}`;
  throw new GitHubError({ kind: "uncertain", message });
}

async function write(
  transport: Transport,
  document: string,
  field: string,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  done(transport, await transport.ask(document, { input }, "write"), field);
}

/** The payload of a mutation that happened; raises for one that did not, or of which that is not known. */
function done(transport: Transport, answer: Answer, field: string): object {
  const data = z.record(z.string(), z.unknown()).nullable().safeParse(answer.data);
  const payload = data.success ? (data.data?.[field] ?? null) : null;
  if (typeof payload === "object" && payload !== null) return payload;
  if (answer.errors.length > 0) throw transport.errorOf(answer, answer.errors, "write");
  const message = `GitHub answered ${field} with neither a result nor an error`;
  throw new GitHubError({ kind: "uncertain", message });
}
