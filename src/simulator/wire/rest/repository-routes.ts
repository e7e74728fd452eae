/** Building the tables of routes under `/repos/{owner}/{repo}`. */
import type { Answer } from "../http/answer.js";
import type { RestCall, RestRoute } from "./call.js";

type Handle = (call: RestCall) => Promise<Answer> | Answer;

/** `path` is what follows `/repos/{owner}/{repo}`. */
function route(
  method: string,
  path: string,
  permission: string,
  level: "read" | "write",
  handle: Handle,
): RestRoute {
  const need = { kind: "repository", permission, level } as const;
  return { method, path: `/repos/{owner}/{repo}${path}`, need, handle };
}

export function reading(path: string, permission: string, handle: Handle): RestRoute {
  return route("GET", path, permission, "read", handle);
}

export function writing(
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  permission: string,
  handle: Handle,
): RestRoute {
  return route(method, path, permission, "write", handle);
}
