/** Errors of GraphQL answers, as GitHub writes them. */
import type { GraphQLError } from "graphql";

import { Refusal } from "../../world/refusal.js";

/** One of `errors[]`. */
export interface WireError {
  readonly type?: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly message: string;
}

/** An error with a type of GitHub's. */
export class TypedError extends Error {
  override readonly name = "TypedError";

  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

/** The schema has it, the simulator does not: never an invented value. */
export class NotSimulated extends Error {
  override readonly name = "NotSimulated";

  constructor(what: string) {
    super(`${what} is not simulated`);
  }
}

export function notFound(what: string): TypedError {
  return new TypedError("NOT_FOUND", `Could not resolve to ${what}.`);
}

export function forbidden(): TypedError {
  return new TypedError("FORBIDDEN", "Resource not accessible by integration");
}

/** An error met while a document is executed. */
export function executionError(error: GraphQLError): WireError {
  const { originalError } = error;
  const common = {
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(error.locations === undefined ? {} : { locations: error.locations }),
    message: error.message,
  };
  if (originalError instanceof TypedError) return { type: originalError.type, ...common };
  if (originalError instanceof Refusal) return { type: typeOf(originalError), ...common };
  if (originalError instanceof NotSimulated)
    return { type: "NOT_SIMULATED", ...common, extensions: { code: "notSimulated" } };
  return common;
}

/** GraphQL knows fewer kinds of refusal than HTTP. */
function typeOf({ type }: Refusal): string {
  return type === "CONFLICT" || type === "NOT_ALLOWED" ? "UNPROCESSABLE" : type;
}

/** An error of the document itself, in GitHub's words where they are known (github-facts 1.3). */
export function documentError(error: GraphQLError): WireError {
  const locations = error.locations === undefined ? {} : { locations: error.locations };
  const field = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(error.message);
  if (field !== null) {
    const [, fieldName = "", typeName = ""] = field;
    return {
      extensions: { code: "undefinedField", typeName, fieldName },
      ...locations,
      message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
    };
  }
  const argument = /^Field "(\w+)" is not defined by type "(\w+)"/.exec(error.message);
  if (argument !== null) {
    const [, argumentName = "", name = ""] = argument;
    return {
      extensions: { code: "argumentNotAccepted", name, typeName: "InputObject", argumentName },
      ...locations,
      message: `InputObject '${name}' doesn't accept argument '${argumentName}'`,
    };
  }
  const code = error.message.startsWith("Syntax Error") ? "parseError" : "invalidDocument";
  return { extensions: { code }, ...locations, message: error.message };
}

/** A variable that its type does not allow. */
export function variableError(error: GraphQLError): WireError {
  const unknown =
    /^Variable "(\$\w+)" got invalid value .*; Field "(\w+)" is not defined by type "(\w+)"/s.exec(
      error.message,
    );
  if (unknown === null) return { message: error.message, extensions: { problems: [] } };
  const [, variable = "", field = "", type = ""] = unknown;
  const explanation = `Field is not defined on ${type}`;
  return {
    extensions: { problems: [{ path: [field], explanation }] },
    message: `Variable ${variable} of type ${type}! was provided invalid value for ${field} (${explanation})`,
  };
}
