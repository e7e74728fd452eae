/** Addresses in GraphQL answers: `url` on the simulator, `resourcePath` without its host. */
import type { Repository } from "../../../world/model.js";
import { linksOf, type Links } from "../../../world/payloads/links.js";
import type { GraphqlContext } from "../context.js";

export function links(context: GraphqlContext, repository: Repository): Links {
  return linksOf(context.world.insides, repository);
}

/** Page of something in a repository; `path` starts with a slash or is empty. */
export function page(context: GraphqlContext, repository: Repository, path: string): string {
  return `${links(context, repository).html}${path}`;
}

export function resourcePath({ owner, name }: Repository, path: string): string {
  return `/${owner}/${name}${path}`;
}
