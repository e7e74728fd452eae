/**
 * The mutations. Each is sent exactly once; a lost reply raises `uncertain` and is never repaired here (case A31).
 * To a queue no merge method is ever sent: it decides it, and GitHub refuses it in some versions (case A10).
 */
import { z } from "zod";

import type { Observation } from "../core/landing/model.js";
import { type Reading, readPullRequest } from "./observation.js";
import { GitHubError } from "./port.js";
import * as queries from "./queries.js";
import { errorsUnder } from "./read.js";
import type { Answer, Transport } from "./transport.js";

export async function enableAutoMerge(
  transport: Transport,
  ask: { readonly nodeId: string; readonly expectedHead: string },
): Promise<Observation | null> {
  const field = "enablePullRequestAutoMerge";
  const input = { pullRequestId: ask.nodeId, expectedHeadOid: ask.expectedHead };
  const answer = await transport.ask(queries.enableAutoMerge, { input }, "write");
  const reading = shown(answer, done(transport, answer, field), [field, "pullRequest"]);
  return reading.read === "observation" ? reading.observation : null;
}

export function disableAutoMerge(
  transport: Transport,
  ask: { readonly nodeId: string },
): Promise<void> {
  const input = { pullRequestId: ask.nodeId };
  return write(transport, queries.disableAutoMerge, "disablePullRequestAutoMerge", input);
}

/** The payload has no `pullRequest` of its own (github-facts 1.3). */
export async function enqueue(
  transport: Transport,
  ask: { readonly nodeId: string; readonly expectedHead: string },
): Promise<Observation | null> {
  const field = "enqueuePullRequest";
  const input = { pullRequestId: ask.nodeId, expectedHeadOid: ask.expectedHead };
  const answer = await transport.ask(queries.enqueue, { input }, "write");
  const payload = done(transport, answer, field);
  const reading = shown(answer, payload, [field, "mergeQueueEntry", "pullRequest"]);
  return reading.read === "observation" ? reading.observation : null;
}

/** The input's name is `id`, unlike that of the other three (github-facts 1.3). */
export function dequeue(transport: Transport, ask: { readonly nodeId: string }): Promise<void> {
  return write(transport, queries.dequeue, "dequeuePullRequest", { id: ask.nodeId });
}

/** The method is sent, unlike everywhere else: without a queue nobody else decides it. */
export function mergePullRequest(
  transport: Transport,
  ask: { readonly nodeId: string; readonly expectedHead: string },
): Promise<void> {
  const input = {
    pullRequestId: ask.nodeId,
    expectedHeadOid: ask.expectedHead,
    mergeMethod: "MERGE",
  };
  return write(transport, queries.mergePullRequest, "mergePullRequest", input);
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
  const reading = shown(answer, done(transport, answer, field), [field, "pullRequest"]);
  if (reading.read === "observation") return reading.observation;
  const message = `GitHub opened the pull request but did not show it: ${reading.why}`;
  throw new GitHubError({ kind: "uncertain", message });
}

/** The pull request at `path` of a mutation's answer, whose payload is under the first name of the path. */
function shown(answer: Answer, payload: object, path: readonly string[]): Reading {
  let node: unknown = payload;
  for (const name of path.slice(1)) {
    node = z.record(z.string(), z.unknown()).safeParse(node).data?.[name];
  }
  return readPullRequest(node, errorsUnder(answer.errors, path), answer.readAt);
}

export async function write(
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
