/** What Prometheus is told at `/metrics`. Labels are from closed lists, so that their number is bounded. */
import { Counter, Gauge, Registry } from "prom-client";
import type { FunctionContext } from "../functions/context.js";
import type { Outcome } from "../functions/define.js";
import { readGauges } from "../functions/gauges.js";
import { functions } from "../functions/registry.js";
import type { Project } from "../core/records.js";

export type DeliveryResult =
  | "accepted"
  | "repeated"
  | "ping"
  | "malformed"
  | "unknown_connection"
  | "unsigned"
  | "bad_signature"
  | "other_repository"
  | "too_large"
  | "unavailable";

export interface Metrics {
  delivery(result: DeliveryResult): void;
  functionCalled(name: string, outcome: Outcome): void;
  /** In Prometheus' text format. A database that is away leaves its gauges out and says so in `yoke_database_up`. */
  text(context: FunctionContext): Promise<string>;
  readonly contentType: string;
}

export interface MetricsOptions {
  /** What GitHub last said is left of the project's budget, as this process knows it; null when it does not. */
  readonly githubRemaining?: (project: Project) => number | null;
}

const known = new Set(functions.map(({ name }) => name));

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const deliveries = new Counter({
    name: "yoke_webhook_deliveries_total",
    help: "GitHub deliveries by what became of them at the door.",
    labelNames: ["result"],
    registers,
  });
  const calls = new Counter({
    name: "yoke_function_calls_total",
    help: "Function calls by name and by ok or the code of the first refusal.",
    labelNames: ["name", "outcome"],
    registers,
  });
  const databaseUp = new Gauge({
    name: "yoke_database_up",
    help: "1 when Postgres answered this scrape.",
    registers,
  });
  const landings = new Gauge({
    name: "yoke_landings",
    help: "Landings by phase.",
    labelNames: ["phase"],
    registers,
  });
  const notices = new Gauge({
    name: "yoke_notices",
    help: "Notices by state.",
    labelNames: ["state"],
    registers,
  });
  const refreshErrors = new Gauge({
    name: "yoke_project_refresh_error",
    help: "1 when the project could not be refreshed from GitHub last time.",
    labelNames: ["project"],
    registers,
  });
  const remaining = new Gauge({
    name: "yoke_github_rate_limit_remaining",
    help: "What is left of GitHub's budget, as this process was last told.",
    labelNames: ["project"],
    registers,
  });

  async function read(context: FunctionContext): Promise<void> {
    for (const gauge of [landings, notices, refreshErrors, remaining]) gauge.reset();
    const gauges = await readGauges(context);
    for (const one of gauges.landings) landings.set({ phase: one.phase }, one.landings);
    for (const one of gauges.notices) notices.set({ state: one.state }, one.notices);
    for (const project of gauges.projects) {
      refreshErrors.set({ project: project.key }, project.refreshError === null ? 0 : 1);
      const left = options.githubRemaining?.(project) ?? null;
      if (left !== null) remaining.set({ project: project.key }, left);
    }
  }

  return {
    contentType: registry.contentType,
    delivery: (result) => deliveries.inc({ result }),
    functionCalled(name, outcome) {
      const code = outcome.ok ? "ok" : (outcome.refusals[0]?.code ?? "none");
      calls.inc({ name: known.has(name) ? name : "unknown", outcome: code });
    },
    async text(context) {
      databaseUp.set(
        await read(context).then(
          () => 1,
          () => 0,
        ),
      );
      return registry.metrics();
    },
  };
}
