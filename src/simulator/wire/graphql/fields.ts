/** How fields are resolved: by the maps of `types/`, or not at all. */
import { type GraphQLFieldResolver, type GraphQLResolveInfo, responsePathAsArray } from "graphql";

import { namesPath } from "../faults.js";
import type { GraphqlContext } from "./context.js";
import { NotSimulated, TypedError } from "./errors.js";

/** Resolvers of one type; arguments are those the schema has already checked. */
export type Fields<Source> = Readonly<
  Record<
    string,
    (source: Source, args: never, context: GraphqlContext, info: GraphQLResolveInfo) => unknown
  >
>;

/** An object made on the spot whose fields are all at hand; functions are called with the arguments. */
export class Plain {
  constructor(
    readonly fields: Readonly<Record<string, unknown>>,
    readonly __typename?: string,
  ) {}
}

/** Types by name. A field that is in neither the map nor a `Plain` is an error, never an invented value (S2). */
export function resolverOf(
  types: Readonly<Record<string, Fields<never>>>,
): GraphQLFieldResolver<unknown, GraphqlContext> {
  return (source, args, context, info) => {
    if (context.request.failing.length > 0) failAsScripted(context, info);
    const { fieldName, parentType } = info;
    const resolve = types[parentType.name]?.[fieldName];
    if (resolve !== undefined) return resolve(source as never, args as never, context, info);
    if (source instanceof Plain && Object.hasOwn(source.fields, fieldName)) {
      const value = source.fields[fieldName];
      return typeof value === "function" ? (value as () => unknown)() : value;
    }
    const what = `The field ${parentType.name}.${fieldName}`;
    context.request.unexpected(`${what} is not simulated`);
    throw new NotSimulated(what);
  };
}

function failAsScripted(context: GraphqlContext, info: GraphQLResolveInfo): void {
  const path = responsePathAsArray(info.path);
  const script = context.request.failing.find((one) => namesPath(one.path, path));
  if (script === undefined) return;
  throw new TypedError(
    script.type ?? "SERVICE_UNAVAILABLE",
    script.message ?? "Something went wrong while executing your query.",
  );
}
