/** A15.2: from the webhook's arrival at the server to the notice's arrival at the holder, beside 1,000 open landings. */
import { inArray } from "drizzle-orm";
import { setTimeout as delay } from "node:timers/promises";
import { webhookDeliveries } from "../../../db/schema.js";
import { figure, percentile, type Figure } from "../figures.js";
import type { Instance } from "../instance.js";
import type { Say } from "../main.js";
import type { BenchProject } from "../project.js";
import { until } from "../until.js";
import type { Crowd, OpenLanding } from "./crowd.js";

export interface Load {
  /** Open landings to which nothing happens. */
  readonly beside: number;
  /** Landings one after the other, and milliseconds between two. */
  readonly single: number;
  readonly everyMs: number;
  /** Landings at once. */
  readonly burst: number;
}

export const fullLoad: Load = { beside: 1000, single: 100, everyMs: 1000, burst: 50 };

export async function benchWakeUps(
  instance: Instance,
  project: BenchProject,
  crowd: Crowd,
  say: Say,
  { beside, single: singles, everyMs, burst }: Load = fullLoad,
): Promise<Figure[]> {
  await crowd.growTo(beside + singles + burst);
  await project.subscribe();
  say(`${singles} landings, one each ${everyMs} ms, beside ${beside} open ones`);
  const single = crowd.take(singles);
  for (const { head } of single) {
    const next = delay(everyMs);
    await project.repository.releaseJobs("pass", { headSha: head });
    await next;
  }
  await told(project, single);
  say(`${burst} landings at once`);
  const many = crowd.take(burst);
  const began = Date.now();
  await Promise.all(
    many.map(({ head }) => project.repository.releaseJobs("pass", { headSha: head })),
  );
  await told(project, many);
  const drained = Date.now() - began;
  const latencies = await latenciesOf(instance, project, single);
  const arrivals = [...single, ...many].map(({ item }) => project.notices.get(keyOf(item)) ?? []);
  return [
    figure(`webhook_to_notice_p50_ms_${beside}`, percentile(latencies, 0.5), "ms"),
    figure(`webhook_to_notice_p99_ms_${beside}`, percentile(latencies, 0.99), "ms"),
    figure(`burst_of_${burst}_drained_ms`, drained, "ms"),
    figure("notices_lost", arrivals.filter((times) => times.length === 0).length, "notices"),
    figure("notices_doubled", arrivals.filter((times) => times.length > 1).length, "notices"),
  ];
}

function keyOf(item: string): string {
  return `${item}/1/landed`;
}

async function told(project: BenchProject, landings: readonly OpenLanding[]): Promise<void> {
  await until("the landed notices", () =>
    landings.every(({ item }) => project.notices.has(keyOf(item))) ? true : null,
  );
}

/** From the first delivery that says "merged", by the server's own record of its arrival. */
async function latenciesOf(
  { github, db }: Instance,
  project: BenchProject,
  landings: readonly OpenLanding[],
): Promise<number[]> {
  const closed = await github.deliveries("pull_request.closed");
  const guids = new Map(
    closed.map(({ guid, body }) => {
      const { number } = JSON.parse(body) as { number: number };
      return [number, guid];
    }),
  );
  const rows = await db
    .select({ guid: webhookDeliveries.guid, at: webhookDeliveries.receivedAt })
    .from(webhookDeliveries)
    .where(inArray(webhookDeliveries.guid, [...guids.values()]));
  const received = new Map(rows.map(({ guid, at }) => [guid, Date.parse(at)]));
  return landings.map(({ item, number }) => {
    const from = received.get(guids.get(number) ?? "");
    const to = project.notices.get(keyOf(item))?.[0];
    if (from === undefined || to === undefined) throw new Error(`${item} has no arrival`);
    return to - from;
  });
}
