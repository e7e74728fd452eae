/**
 * What a query may cost before it runs: nodes it can return and points (github-facts 1.8), and the bounds
 * every connection needs.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  GraphQLSkipDirective,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

import type { WireError } from "./errors.js";
import { publicSchema } from "./schema.js";

export interface Cost {
  /** Requests for connections the query can need: parents times connections. */
  readonly lookups: number;
  readonly nodes: number;
  readonly points: number;
  readonly errors: readonly WireError[];
}

const MOST_NODES = 500_000;
const MOST_RECORDS = 100;

export function costOf(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Cost {
  const schema = publicSchema();
  const root = schema.getRootType(operation.operation);
  const count = new Count(document, variables);
  if (root != null) count.selections(operation.selectionSet, root, 1, []);
  const errors = [...count.errors];
  if (count.nodes > MOST_NODES)
    errors.push({
      type: "MAX_NODE_LIMIT_EXCEEDED",
      message: `This query requests up to ${number(count.nodes)} possible nodes which exceeds the maximum limit of ${number(MOST_NODES)}.`,
    });
  const points = Math.max(1, Math.round(count.lookups / 100));
  return { lookups: count.lookups, nodes: count.nodes, points, errors };
}

class Count {
  lookups = 0;
  nodes = 0;
  readonly errors: WireError[] = [];
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: Readonly<Record<string, unknown>>;

  constructor(document: DocumentNode, variables: Readonly<Record<string, unknown>>) {
    this.#variables = variables;
    this.#fragments = new Map(
      document.definitions.flatMap((one) =>
        one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
      ),
    );
  }

  /** `parents`: how many objects of `type` there can be. */
  selections(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType,
    parents: number,
    path: readonly string[],
  ): void {
    for (const selection of selections) {
      if (!this.#isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        this.#field(selection, type, parents, path);
        continue;
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection
          : this.#fragments.get(selection.name.value);
      if (fragment === undefined) continue;
      const on = fragment.typeCondition?.name.value;
      const inside = on === undefined ? type : (publicSchema().getType(on) ?? type);
      this.selections(fragment.selectionSet, inside, parents, path);
    }
  }

  #field(node: FieldNode, type: GraphQLNamedType, parents: number, path: readonly string[]): void {
    if (!isObjectType(type) && !isInterfaceType(type)) return;
    const field = type.getFields()[node.name.value];
    if (field === undefined) return;
    const named = getNamedType(field.type);
    const here = [...path, node.alias?.value ?? node.name.value];
    const args = getArgumentValues(field, node, { ...this.#variables });
    let children = parents;
    if (named.name.endsWith("Connection")) {
      const records = this.#records(node, args, here);
      this.lookups += parents;
      this.nodes += parents * records;
      children = parents * records;
    } else if (Array.isArray(args["ids"])) {
      this.nodes += args["ids"].length;
      children = parents * args["ids"].length;
    }
    if (node.selectionSet !== undefined) this.selections(node.selectionSet, named, children, here);
  }

  /** Exactly one of `first` and `last`, from 1 to 100; GitHub's schema does not say so itself. */
  #records(
    node: FieldNode,
    args: Readonly<Record<string, unknown>>,
    path: readonly string[],
  ): number {
    const name = node.name.value;
    const [bound, other] = (["first", "last"] as const).filter((one) => args[one] != null);
    const refuse = (type: string, message: string): number => {
      const locations = node.loc === undefined ? {} : { locations: [lineOf(node)] };
      this.errors.push({ type, path, ...locations, message });
      return 0;
    };
    if (bound === undefined)
      return refuse(
        "MISSING_PAGINATION_BOUNDARIES",
        `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
      );
    if (other !== undefined)
      return refuse(
        "INVALID_PAGINATION_BOUNDARIES",
        `Passing both \`first\` and \`last\` to paginate the \`${name}\` connection is not supported.`,
      );
    const records = Number(args[bound]);
    if (records < 1 || !Number.isInteger(records))
      return refuse(
        "INVALID_PAGINATION_BOUNDARIES",
        `\`${bound}\` on the \`${name}\` connection cannot be less than one.`,
      );
    if (records > MOST_RECORDS)
      return refuse(
        "EXCESSIVE_PAGINATION",
        `Requesting ${number(records)} records on the \`${name}\` connection exceeds the \`${bound}\` limit of ${MOST_RECORDS} records.`,
      );
    return records;
  }

  #isIncluded(selection: SelectionNode): boolean {
    const values = { ...this.#variables };
    const skip = getDirectiveValues(GraphQLSkipDirective, selection, values);
    const include = getDirectiveValues(GraphQLIncludeDirective, selection, values);
    return skip?.["if"] !== true && include?.["if"] !== false;
  }
}

function lineOf({ loc }: FieldNode): { readonly line: number; readonly column: number } {
  const token = loc?.startToken;
  return { line: token?.line ?? 0, column: token?.column ?? 0 };
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
