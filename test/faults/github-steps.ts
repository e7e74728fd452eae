/** The requests to GitHub as steps: the simulator logs them, and its scripted faults are the faults. */
import * as documents from "../../src/github/queries.js";
import { type Fault, type FaultScript, isUnused } from "../../src/simulator/wire/faults.js";
import type { LoggedRequest } from "../../src/simulator/wire/http/request-log.js";
import type { Services } from "../../src/simulator/wire/services.js";
import { killOf, type FaultKind, type Planned, type Step, type Victim } from "./step.js";

/** Names of the GraphQL operations that write. */
const mutations = new Set(
  Object.values(documents).flatMap((document) =>
    typeof document === "string"
      ? [...document.matchAll(/\bmutation (\w+)/g)].map(([, name]) => name ?? "")
      : [],
  ),
);

function hasEffect({ kind, method, operation }: LoggedRequest): boolean {
  if (kind === "graphql") return operation === null || mutations.has(operation);
  // The worker fetches, it never pushes; a fetch asks by POST, too.
  return kind !== "git" && method !== "GET";
}

function script(kind: FaultKind): FaultScript {
  if (kind === "refused") return { status: 502, body: "<html>Bad gateway</html>" };
  if (kind === "reply lost") return { cut: "after" };
  return { hang: killOf(kind)?.when ?? "before" };
}

export class GithubSteps {
  readonly #services: Services;
  readonly #from: number;
  #fault: Fault | null = null;

  /** The story begins now: `planned` happens to its nth request from here on. */
  constructor(
    services: Services,
    planned: Planned | null,
    kill: (victim: Victim) => Promise<void>,
  ) {
    this.#services = services;
    this.#from = services.log.list().at(-1)?.id ?? 0;
    if (planned?.step.party !== "GitHub") return;
    const { step, kind } = planned;
    const route = `^${step.name.replaceAll(/[.*+?^$(){}[\]|\\]/g, "\\$&")}$`;
    const fault = services.faults.add({ match: { route }, nth: step.nth, ...script(kind) });
    this.#fault = fault;
    const victim = killOf(kind)?.victim;
    if (victim === undefined) return;
    void this.#killing(fault, () => kill(victim), victim !== "worker");
  }

  /** A worker that is gone waits for no answer; any other one gets it. */
  async #killing(fault: Fault, kill: () => Promise<void>, answered: boolean): Promise<void> {
    const { faults } = this.#services;
    await faults.hanging(fault);
    await kill();
    if (answered) faults.release(fault);
  }

  /** Requests with an effect that were sent again with no reading in between (case E09). */
  get sentBlindly(): string[] {
    const unread = new Set<string>();
    const blind: string[] = [];
    for (const request of this.#requests) {
      if (!hasEffect(request)) {
        if (request.status === 200) unread.clear();
        continue;
      }
      if (unread.has(request.route)) blind.push(`${request.route} was sent again blindly`);
      unread.add(request.route);
    }
    return blind;
  }

  get #requests(): LoggedRequest[] {
    return this.#services.log.list({ after: this.#from });
  }

  get steps(): Step[] {
    const counts = new Map<string, number>();
    return this.#requests.map((request) => {
      const name = request.route;
      const nth = (counts.get(name) ?? 0) + 1;
      counts.set(name, nth);
      return { party: "GitHub", name, nth, effect: hasEffect(request) };
    });
  }

  get met(): boolean {
    return this.#fault !== null && !isUnused(this.#fault);
  }
}
