/** A worker: one poller for landings and upkeep, one for the git work of this host's lanes. */
import { hostname } from "node:os";
import { NativeConnection, Worker, type WorkflowBundleOption } from "@temporalio/worker";
import type { Client } from "@temporalio/client";
import { createActivities, createLaneHostActivities } from "../../activities/index.js";
import type { ActivityDependencies } from "../../activities/dependencies.js";
import { taskQueue as queues } from "../../workflows/names.js";
import { freezeChanged, pullRequestObserved } from "../../workflows/landing.js";
import { connectionOptions, type TemporalTarget } from "../temporal/connect.js";
import { landingStart } from "../temporal/landings.js";
import { heartbeats } from "./heartbeats.js";

export interface WorkerOptions {
  readonly temporal: TemporalTarget;
  readonly taskQueue: string;
  readonly workflowBundle: WorkflowBundleOption;
  readonly dependencies: Omit<ActivityDependencies, "signalLanding" | "signalFreeze">;
  /** Used to signal landings from upkeep. */
  readonly client: Client;
  /** Open landings kept in memory; the rest are replayed when something happens to them (stack.md, 2,000 open). */
  readonly maxCachedWorkflows?: number;
  readonly host?: string;
}

export interface RunningWorker {
  /** Resolves when the worker stopped; rejects when it failed. */
  readonly done: Promise<void>;
  stop(): void;
}

/** Starts polling; resolves once both pollers are made. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { client, taskQueue } = options;
  const connection = await NativeConnection.connect(connectionOptions(options.temporal));
  const dependencies: ActivityDependencies = {
    ...options.dependencies,
    signalLanding: async (landing, observation) => {
      await client.workflow.signalWithStart("landing", {
        ...landingStart(landing, taskQueue),
        signal: pullRequestObserved,
        signalArgs: [observation],
      });
    },
    signalFreeze: async (landing, frozen) => {
      await client.workflow.signalWithStart("landing", {
        ...landingStart(landing, taskQueue),
        signal: freezeChanged,
        signalArgs: [{ frozen }],
      });
    },
  };
  const shared = {
    connection,
    namespace: options.temporal.namespace,
    shutdownGraceTime: "10s" as const,
    interceptors: { activity: [heartbeats] },
    // A killed worker's landings wait this long for it before another one takes them up.
    stickyQueueScheduleToStartTimeout: "5s" as const,
  };
  const main = await Worker.create({
    ...shared,
    taskQueue,
    workflowBundle: options.workflowBundle,
    activities: createActivities(dependencies),
    maxCachedWorkflows: options.maxCachedWorkflows ?? 1000,
    maxConcurrentActivityTaskExecutions: 40,
  });
  const host = await Worker.create({
    ...shared,
    taskQueue: queues.host(options.host ?? hostname(), taskQueue),
    activities: createLaneHostActivities(dependencies),
    maxConcurrentActivityTaskExecutions: 4,
  });
  const done = Promise.all([main.run(), host.run()]).then(
    () => connection.close(),
    async (error: unknown) => {
      for (const worker of [main, host]) if (worker.getState() === "RUNNING") worker.shutdown();
      await connection.close().catch(() => undefined);
      throw error;
    },
  );
  return {
    done,
    stop: () => {
      for (const worker of [main, host]) if (worker.getState() === "RUNNING") worker.shutdown();
    },
  };
}
