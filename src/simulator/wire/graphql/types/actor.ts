/** People, bots and organizations. */
import { nodeId } from "../../../world/node-ids.js";
import { accountId } from "../../../world/payloads/account.js";
import type { Actor, Repository } from "../../../world/model.js";
import type { GraphqlContext } from "../context.js";
import { type Fields, Plain } from "../fields.js";
import type { ActorSource } from "../sources.js";

const account: Fields<ActorSource> = {
  id: ({ actor }) => nodeId(actor.type === "Bot" ? "BOT" : "U", actor.id),
  databaseId: ({ actor }) => actor.id,
  login: ({ actor }) => actor.login,
  url: ({ actor }, _, context: GraphqlContext) => `${context.world.baseUrl}${pathOf(actor)}`,
  resourcePath: ({ actor }) => pathOf(actor),
  avatarUrl: ({ actor }, _, context: GraphqlContext) =>
    `${context.world.baseUrl}${pathOf(actor)}.png`,
};

export const Bot: Fields<ActorSource> = account;
export const Organization: Fields<ActorSource> = account;
export const User: Fields<ActorSource> = {
  ...account,
  isViewer: ({ actor }, _, { request }) => request.principal.actor.login === actor.login,
};

/** The account a repository belongs to. */
export function ownerSource({ owner, ownerType }: Repository): ActorSource {
  return {
    __typename: ownerType,
    actor: { login: owner, type: "User", id: accountId(owner) },
  };
}

/** `GitActor`: a name in a commit; no account stands behind it here. */
export function gitActor(person: { name: string; email: string; date: string }): Plain {
  return new Plain({ name: person.name, email: person.email, date: person.date, user: null });
}

function pathOf({ login }: Actor): string {
  return `/${encodeURIComponent(login)}`;
}
