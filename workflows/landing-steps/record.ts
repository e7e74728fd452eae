/** The stored record of a landing, and what a workflow carries of it. */
import { proxyActivities } from "@temporalio/workflow";
import type { Activities } from "../../activities/index.js";
import { profiles } from "../../activities/profiles.js";
import type { LandingState } from "../../src/core/landing/model.js";
import type { LandingCarried } from "../names.js";

const database = proxyActivities<Activities>(profiles.database);

type Loaded = Awaited<ReturnType<Activities["loadLanding"]>>;

export async function loadLanding(of: {
  readonly item: string;
  readonly attempt?: number;
}): Promise<Loaded> {
  const { item, attempt } = of;
  return database.loadLanding(attempt === undefined ? { item } : { item, attempt });
}

/** `begun` where nothing is stored yet. */
export function carriedFrom({ record, owed }: Loaded, begun: LandingState): LandingCarried {
  return {
    state: record?.state ?? begun,
    version: record?.version ?? 0,
    why: record?.why ?? "nothing was armed yet",
    undeliveredNotices: owed,
    result: record?.result ?? null,
    verification: record?.verification ?? null,
  };
}
