/** Pages for people, at the addresses that answers and payloads link to. */
import type { Repository } from "../../world/model.js";
import type { Handling } from "../handling.js";
import { type Answer, empty, html } from "../http/answer.js";
import type { Incoming } from "../http/incoming.js";
import type { Services } from "../services.js";
import { indexPage, pullRequestPage, repositoryPage } from "./repository-page.js";

const PATH = /^\/([^/]+)\/([^/]+)(\/.*)?$/;

/** Null for an address that is no page. */
export function pageHandling({ world }: Services, incoming: Incoming): Handling | null {
  if (incoming.method !== "GET" && incoming.method !== "HEAD") return null;
  const handling = (answer: () => Answer): Handling => ({ kind: "page", route: "page", answer });
  if (incoming.path === "/") return handling(() => html(200, indexPage(world)));
  const [, owner = "", name = "", rest = ""] = PATH.exec(incoming.path) ?? [];
  const repository = world.repository(owner, name);
  if (repository === null) return null;
  if (rest === "" || rest === "/")
    return handling(() => html(200, repositoryPage(world, repository)));
  const number = /^\/pull\/(\d+)$/.exec(rest)?.[1];
  const pullRequest = number === undefined ? null : world.pullRequest(repository, Number(number));
  if (pullRequest !== null)
    return handling(() => html(200, pullRequestPage(world, repository, pullRequest)));
  const place = placeOf(rest);
  return place === null ? null : handling(() => movedTo(repository, place));
}

/** Where on the page of its repository something stands. */
function placeOf(path: string): string | null {
  const queue = /^\/queue\/(.+)$/.exec(path)?.[1];
  if (queue !== undefined) return `queue-${queue}`;
  const run = /^\/actions\/runs\/(\d+)(\/|$)/.exec(path)?.[1];
  if (run !== undefined) return `run-${run}`;
  return path === "/actions" ? "runs" : null;
}

function movedTo({ owner, name }: Repository, place: string): Answer {
  return empty(302, { location: `/${owner}/${name}#${place}` });
}
