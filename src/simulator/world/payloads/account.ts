/** `simple-user` and `organization-simple` of the REST and webhook schemas. */
import type { Actor, Repository } from "../model.js";
import { nodeId } from "../node-ids.js";
import type { Links } from "./links.js";

export function userPayload(links: Links, actor: Actor): Record<string, unknown> {
  const api = links.apiAccount(actor.login);
  return {
    login: actor.login,
    id: actor.id,
    node_id: nodeId(actor.type === "Bot" ? "BOT" : "U", actor.id),
    avatar_url: `${links.account(actor.login)}.png`,
    gravatar_id: "",
    url: api,
    html_url: links.account(actor.login),
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: actor.type,
    site_admin: false,
  };
}

/** The account that owns a repository; its id is derived from its name, for nothing else has one. */
export function ownerPayload(links: Links, repository: Repository): Record<string, unknown> {
  const owner = userPayload(links, {
    login: repository.owner,
    type: "User",
    id: accountId(repository.owner),
  });
  return { ...owner, type: repository.ownerType };
}

export function organizationPayload(links: Links, repository: Repository): Record<string, unknown> {
  const api = links.apiAccount(repository.owner).replace("/users/", "/orgs/");
  return {
    login: repository.owner,
    id: accountId(repository.owner),
    node_id: nodeId("U", accountId(repository.owner)),
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url: `${links.account(repository.owner)}.png`,
    description: null,
  };
}

/** A stable number for an account name. */
export function accountId(login: string): number {
  let hash = 7;
  for (const letter of login.toLowerCase()) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % 1_000_000_000;
}
