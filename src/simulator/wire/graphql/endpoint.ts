/** `POST /graphql`. */
import { OperationTypeNode } from "graphql";

import type { Exchange, Handling } from "../handling.js";
import { type Answer, json, withHeaders } from "../http/answer.js";
import type { Incoming } from "../http/incoming.js";
import { budgetHeaders, holderOf } from "../limits.js";
import {
  badCredentials,
  message,
  refusedAnswer,
  requiresAuthentication,
  secondaryLimited,
} from "../refusals.js";
import type { Services } from "../services.js";
import { answerCall, type GraphqlCall, readCall } from "./execute.js";

export async function graphqlHandling(services: Services, incoming: Incoming): Promise<Handling> {
  let call: GraphqlCall;
  try {
    call = readCall(await incoming.json());
  } catch (error) {
    const refused = refusedAnswer(error);
    if (refused === null) throw error;
    return { kind: "graphql", route: "graphql", answer: () => refused };
  }
  const name = call.name ?? (call.fields.join(" ") || "(no operation)");
  return {
    kind: "graphql",
    route: `graphql ${name}`,
    operation: call.name,
    fields: call.fields,
    selected: call.checked.selected,
    answer: (exchange) => answer(services, exchange, call),
  };
}

async function answer(
  services: Services,
  { incoming, logged, fault }: Exchange,
  call: GraphqlCall,
): Promise<Answer> {
  const { world, git, limits } = services;
  const authorization = incoming.header("authorization");
  if (authorization === undefined) return requiresAuthentication();
  const principal = world.authenticate(authorization);
  if (principal === null) return badCredentials();
  logged.actor = principal.actor.login;
  if (principal.kind === "app")
    return message(401, "A JSON web token cannot be used with the GraphQL API");
  const holder = holderOf(principal);
  const mutation = call.operation?.operation === OperationTypeNode.MUTATION;
  const wait = limits.enter(holder, "graphql", mutation);
  try {
    if (wait !== null) return secondaryLimited(wait);
    const outcome = await answerCall(call, {
      world,
      git,
      principal,
      failing: fault?.script.errors ?? [],
      unexpected: (what) => {
        logged.unexpected ??= what;
      },
      charge: ({ points }) => {
        if (limits.budget(holder, "graphql").remaining <= 0) return null;
        limits.charge(holder, "graphql", points);
        logged.cost = points;
        return limits.budget(holder, "graphql");
      },
    });
    const headers = budgetHeaders(limits.budget(holder, "graphql"));
    if (outcome.kind === "answer") return json(200, outcome.body, headers);
    // Exhaustion of the primary limit is HTTP 200 with an error (github-facts 1.8).
    const exhausted = {
      type: limits.settings.graphqlType,
      message: `API rate limit already exceeded for ${holder}.`,
    };
    return withHeaders(json(200, { errors: [exhausted] }), headers);
  } finally {
    limits.leave(holder);
  }
}
