/** One GraphQL request: checked, counted, charged, executed. */
import {
  execute,
  getVariableValues,
  type OperationDefinitionNode,
  OperationTypeNode,
} from "graphql";
import { z } from "zod";

import type { FaultError } from "../faults.js";
import type { GitReads } from "../git/git-reads.js";
import { BadRequest } from "../http/incoming.js";
import type { Budget } from "../limits.js";
import type { ServedWorld } from "../served-world.js";
import { GraphqlContext, type GraphqlRequest } from "./context.js";
import { type Cost, costOf } from "./cost.js";
import { checkDocument, type CheckedDocument, operationOf, rootFields } from "./document.js";
import { executionError, variableError, type WireError } from "./errors.js";
import { resolverOf } from "./fields.js";
import { publicSchema } from "./schema.js";
import { TYPES } from "./types/index.js";

const fieldResolver = resolverOf(TYPES);

/** The body of a request, understood as far as it can be. */
export interface GraphqlCall {
  readonly checked: CheckedDocument;
  /** Null when the document has none, or not the one asked for. */
  readonly operation: OperationDefinitionNode | null;
  readonly name: string | null;
  readonly fields: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly errors: readonly WireError[];
}

const body = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

/** @throws BadRequest when it is no GraphQL request at all. */
export function readCall(value: unknown): GraphqlCall {
  const parsed = body.safeParse(value);
  if (!parsed.success)
    throw new BadRequest("A query attribute must be specified and must be a string.");
  const { query, operationName, variables } = parsed.data;
  const checked = checkDocument(query);
  const { document } = checked;
  const found = document === null ? null : operationOf(document, operationName ?? null);
  const operation = found !== null && "kind" in found ? found : null;
  const missing = found === null || operation !== null ? [] : [found as WireError];
  return {
    checked,
    operation,
    name: operation?.name?.value ?? null,
    fields: operation === null ? [] : rootFields(operation),
    variables: variables ?? {},
    errors: [...checked.errors, ...missing],
  };
}

export interface GraphqlServices {
  readonly world: ServedWorld;
  readonly git: GitReads;
  readonly principal: GraphqlRequest["principal"];
  readonly failing: readonly FaultError[];
  readonly unexpected: (what: string) => void;
  /** Takes the points of the query; null when the budget is used up. */
  readonly charge: (cost: Cost) => Budget | null;
}

export type GraphqlOutcome =
  | { readonly kind: "answer"; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: "exhausted" };

export async function answerCall(
  call: GraphqlCall,
  services: GraphqlServices,
): Promise<GraphqlOutcome> {
  const { operation, checked } = call;
  if (call.errors.length > 0 || operation === null || checked.document === null)
    return refused(call.errors);
  const schema = publicSchema();
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], call.variables);
  if (coerced.errors !== undefined) return refused(coerced.errors.map(variableError));
  const cost = costOf(checked.document, operation, coerced.coerced);
  if (cost.errors.length > 0) return refused(cost.errors);
  const budget = services.charge(cost);
  if (budget === null) return { kind: "exhausted" };
  const context = new GraphqlContext({
    ...services,
    cost,
    budget,
    live: operation.operation === OperationTypeNode.MUTATION,
    selectsMergeable: checked.selected.has("mergeable"),
    selectsTestMerge: checked.selected.has("potentialMergeCommit"),
  });
  const result = await execute({
    schema,
    document: checked.document,
    operationName: call.name,
    variableValues: call.variables,
    contextValue: context,
    fieldResolver,
    typeResolver: typeOf,
  });
  const errors = result.errors ?? [];
  return {
    kind: "answer",
    body: {
      data: result.data ?? null,
      ...(errors.length === 0 ? {} : { errors: errors.map(executionError) }),
    },
  };
}

/** Nothing was executed: GitHub answers 200, with errors and no data. */
function refused(errors: readonly WireError[]): GraphqlOutcome {
  return { kind: "answer", body: { errors } };
}

function typeOf(value: unknown): string | undefined {
  return (value as { readonly __typename?: string }).__typename;
}
