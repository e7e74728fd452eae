/** What was asked of GitHub, counted by GitHub: the simulator's own request log. */
import type { LoggedRequest } from "../../../src/simulator/wire/http/request-log.js";
import type { SimulatorAdmin } from "../../../src/simulator/wire/admin-client.js";

/** Root fields of yoke's queries; every other root field is a mutation. */
const queried = new Set(["rateLimit", "nodes", "node", "repository", "viewer"]);

export interface Requests {
  readonly total: number;
  readonly api: number;
  readonly git: number;
  readonly writes: number;
  readonly byRoute: Readonly<Record<string, number>>;
}

/** Counts what `work` caused. Nothing else may talk to the simulator meanwhile. */
export async function counted(
  github: SimulatorAdmin,
  work: () => Promise<void>,
): Promise<Requests> {
  const { last } = await github.requests({ since: new Date().toISOString() });
  await work();
  const { requests } = await github.requests({ since: last });
  const byRoute: Record<string, number> = {};
  for (const { route } of requests) byRoute[route] = (byRoute[route] ?? 0) + 1;
  const git = requests.filter(({ kind }) => kind === "git").length;
  return {
    total: requests.length,
    api: requests.length - git,
    git,
    writes: requests.filter(isWrite).length,
    byRoute,
  };
}

function isWrite({ kind, method, fields }: LoggedRequest): boolean {
  if (kind === "graphql") return fields.some((field) => !queried.has(field));
  return kind === "rest" && method !== "GET" && method !== "HEAD";
}
