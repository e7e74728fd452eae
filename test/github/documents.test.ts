import { getVariableValues, Kind, parse } from "graphql";
import { describe, expect, it } from "vitest";

import { costOf } from "../../src/simulator/wire/graphql/cost.js";
import * as queries from "../../src/github/queries.js";
import { problemsOf, publicSchema } from "./schema.js";

describe("GraphQL documents", () => {
  it.each(Object.entries(queries))("%s is one that GitHub's public schema takes", (_, document) => {
    expect(problemsOf(document)).toEqual([]);
  });

  it("A15.1 reading 50 pull requests with the counts of their checks is one point and 150 nodes", () => {
    const document = parse(queries.observe);
    const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error("no operation");
    const ids = Array.from({ length: 50 }, (_, at) => `PR_${at}`);
    expect(costOf(document, operation, { ids })).toEqual({
      lookups: 100,
      nodes: 150,
      points: 1,
      errors: [],
    });
  });

  it("A16.1 reading 49 with the reports on their landed commits is one point too", () => {
    const document = parse(queries.observeLanded);
    const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error("no operation");
    const ids = Array.from({ length: 49 }, (_, at) => `PR_${at}`);
    expect(costOf(document, operation, { ids })).toMatchObject({ points: 1, errors: [] });
  });

  it("the check sees a field, a missing limit and too large a limit that GitHub refuses", () => {
    expect(problemsOf(`{ viewer { logon } }`)).not.toEqual([]);
    expect(problemsOf(`{ viewer { repositories { totalCount } } }`)).not.toEqual([]);
    expect(problemsOf(`{ viewer { repositories(first: 500) { totalCount } } }`)).not.toEqual([]);
    expect(problemsOf(`{ viewer { repositories(first: 100) { totalCount } } }`)).toEqual([]);
  });

  it("case A10 the schema itself refuses a method for enqueue and pullRequestId for dequeue", () => {
    const takes = (document: string, input: Record<string, unknown>): boolean => {
      const [operation] = parse(document).definitions;
      if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error("no operation");
      const { errors } = getVariableValues(publicSchema(), operation.variableDefinitions ?? [], {
        input,
      });
      return errors === undefined;
    };
    expect(takes(queries.enqueue, { pullRequestId: "PR_1" })).toBe(true);
    expect(takes(queries.enqueue, { pullRequestId: "PR_1", mergeMethod: "SQUASH" })).toBe(false);
    expect(takes(queries.dequeue, { id: "PR_1" })).toBe(true);
    expect(takes(queries.dequeue, { pullRequestId: "PR_1" })).toBe(false);
  });
});
