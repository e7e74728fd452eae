/** GitHub's public schema, and the rule on connections that it does not hold (github-facts 5.1). */
import { readFileSync } from "node:fs";

import {
  type ASTVisitor,
  buildSchema,
  getNamedType,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  specifiedRules,
  validate,
  type ValidationContext,
} from "graphql";

let schema: GraphQLSchema | null = null;

/** The published SDL defines two fields twice, so it is taken as valid. */
export function publicSchema(): GraphQLSchema {
  schema ??= buildSchema(
    readFileSync(new URL("schema.graphql", import.meta.resolve("@octokit/graphql-schema")), "utf8"),
    { assumeValidSDL: true },
  );
  return schema;
}

/** What GitHub would refuse `document` for; empty when it would take it. */
export function problemsOf(document: string): readonly string[] {
  const errors = validate(publicSchema(), parse(document), [...specifiedRules, connectionRule]);
  return errors.map(({ message }) => message);
}

/** A connection needs exactly one of `first` and `last`, from 1 to 100. */
function connectionRule(context: ValidationContext): ASTVisitor {
  return {
    Field(node) {
      const type = context.getType();
      if (type === null || type === undefined) return;
      if (!getNamedType(type).name.endsWith("Connection")) return;
      const limits = (node.arguments ?? []).filter(({ name }) =>
        ["first", "last"].includes(name.value),
      );
      const literal = limits[0]?.value.kind === Kind.INT ? Number(limits[0].value.value) : 1;
      if (limits.length === 1 && literal >= 1 && literal <= 100) return;
      context.reportError(
        new GraphQLError(`${node.name.value} needs first or last from 1 to 100`, { nodes: node }),
      );
    },
  };
}
