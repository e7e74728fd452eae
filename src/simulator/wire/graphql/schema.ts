/** GitHub's public GraphQL schema, built once in a process and only when somebody asks (S2). */
import { readFileSync } from "node:fs";

import { buildSchema, type GraphQLSchema } from "graphql";

let schema: GraphQLSchema | null = null;

/** The published SDL defines two fields twice, so it is taken as valid (github-facts 5.1). */
export function publicSchema(): GraphQLSchema {
  schema ??= buildSchema(
    readFileSync(new URL("schema.graphql", import.meta.resolve("@octokit/graphql-schema")), "utf8"),
    { assumeValidSDL: true, noLocation: true },
  );
  return schema;
}
