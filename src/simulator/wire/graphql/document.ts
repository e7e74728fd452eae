/** A GraphQL document: parsed, checked against the public schema, and kept for when it comes again. */
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
  visit,
} from "graphql";

import { documentError, type WireError } from "./errors.js";
import { publicSchema } from "./schema.js";

export interface CheckedDocument {
  /** Null when it cannot be parsed. */
  readonly document: DocumentNode | null;
  readonly errors: readonly WireError[];
  /** Every field selected anywhere. */
  readonly selected: ReadonlySet<string>;
}

/** Clients send few documents, and each of them often. */
const KEPT = 500;
const known = new Map<string, CheckedDocument>();

export function checkDocument(query: string): CheckedDocument {
  const before = known.get(query);
  if (before !== undefined) return before;
  const checked = check(query);
  known.set(query, checked);
  const [oldest] = known.keys();
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return checked;
}

function check(query: string): CheckedDocument {
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { document: null, errors: [documentError(error)], selected: new Set() };
  }
  const errors = validate(publicSchema(), document, specifiedRules).map(documentError);
  const selected = new Set<string>();
  visit(document, { Field: (node) => void selected.add(node.name.value) });
  return { document, errors, selected };
}

/** The operation a request means, or why none can be told. */
export function operationOf(
  document: DocumentNode,
  name: string | null,
): OperationDefinitionNode | WireError {
  const operations = document.definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  );
  if (name !== null) {
    const named = operations.find((one) => one.name?.value === name);
    return named ?? { message: `No operation named "${name}"` };
  }
  const [only] = operations;
  if (only === undefined || operations.length > 1)
    return { message: "An operation name is required" };
  return only;
}

/** Names of the fields at the root of an operation, as the schema spells them. */
export function rootFields(operation: OperationDefinitionNode): string[] {
  return operation.selectionSet.selections.flatMap((one) =>
    one.kind === Kind.FIELD ? [one.name.value] : [],
  );
}
