/** The functions' view of Temporal: requests by business key, answers and refusals as values. */
import {
  isGrpcServiceError,
  ScheduleOverlapPolicy,
  ServiceError,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from "@temporalio/client";
import { WorkflowIdConflictPolicy } from "@temporalio/common";
import proto from "@temporalio/proto";
import { hold, landingView, merge, type landing } from "../../workflows/landing.js";
import {
  refreshAll,
  pullRequestsTouched,
  type refresh,
  type upkeep,
} from "../../workflows/upkeep.js";
import {
  scheduleId,
  taskQueue as queues,
  workflowId,
  type LandingInput,
} from "../../workflows/names.js";
import { yokeProject } from "../../workflows/search-attributes.js";
import { refuse } from "../core/refusals.js";
import { Refused, type LandingService } from "../functions/context.js";
import { landingStart, refreshStart } from "./landings.js";

/** Time for a worker to take a request up, in milliseconds; then somebody must look at the workers. */
const acceptanceMs = 12_000;
/** Time for the answer to a request that a worker took up: arming and close-out talk to GitHub and to git. */
const answerMs = 150_000;
/** Time for the server's own answer to a call that waits for no worker. */
const serverMs = 5_000;
/** A poller that was not heard of for this long is gone: workers poll at least once a minute (case E17). */
const pollerAgeMs = 75_000;
const { TaskQueueType } = proto.temporal.api.enums.v1;
const polled = [TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW, TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY];

export function landingService(client: Client, taskQueue: string): LandingService {
  /** A call that the server answers by itself. */
  const soon = <Answer>(call: () => Promise<Answer>): Promise<Answer> =>
    client.withDeadline(Date.now() + serverMs, call);

  async function pollersOf(queue: string): Promise<number> {
    const counts = await Promise.all(
      polled.map(async (taskQueueType) => {
        const answer = await soon(() =>
          client.workflowService.describeTaskQueue({
            namespace: client.options.namespace,
            taskQueue: { name: queue },
            taskQueueType,
          }),
        );
        return (answer.pollers ?? []).filter(({ lastAccessTime }) => {
          const seconds = Number(lastAccessTime?.seconds ?? 0);
          return Date.now() - seconds * 1000 < pollerAgeMs;
        }).length;
      }),
    );
    return Math.max(...counts);
  }

  const noAnswer = (): Refused =>
    new Refused([refuse("temporal_unavailable", "The Temporal server does not answer.")]);

  /** Why a request was not taken up in time. */
  async function notTakenUp(): Promise<Refused> {
    const pollers = await pollersOf(taskQueue).catch(() => null);
    if (pollers === null) return noAnswer();
    return new Refused([
      refuse(
        "no_worker",
        pollers === 0
          ? `No worker polls the task queue ${taskQueue}.`
          : `No worker of the task queue ${taskQueue} took the request up in ${acceptanceMs / 1000} s.`,
        { queue: taskQueue },
      ),
    ]);
  }

  /** Runs a request; what Temporal itself refuses becomes a named refusal. `late`: why there was no answer in time. */
  async function asked<Answer>(
    request: () => Promise<Answer>,
    late: () => Refused | Promise<Refused> = notTakenUp,
  ): Promise<Answer> {
    try {
      return await request();
    } catch (error) {
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) throw await late();
      const service = error instanceof ServiceError ? error.cause : error;
      if (isGrpcServiceError(service)) {
        // 4: DEADLINE_EXCEEDED, 14: UNAVAILABLE, 1: CANCELLED (gRPC status codes).
        const code: number = service.code;
        if (code === 4 || code === 1) throw await late();
        if (code === 14) {
          throw new Refused([
            refuse("temporal_unavailable", "The Temporal server cannot be reached."),
          ]);
        }
      }
      throw error;
    }
  }

  const landingOperation = (input: LandingInput) =>
    new WithStartWorkflowOperation<typeof landing>("landing", {
      ...landingStart(input, taskQueue),
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    });

  return {
    async merge(request, input, updateId) {
      return asked(async () => {
        const handle = await client.withDeadline(Date.now() + acceptanceMs, () =>
          client.workflow.startUpdateWithStart(merge, {
            args: [request],
            updateId,
            waitForStage: "ACCEPTED",
            startWorkflowOperation: landingOperation(input),
          }),
        );
        return client.withDeadline(Date.now() + answerMs, () => handle.result());
      });
    },

    async hold(request, input) {
      return asked(async () => {
        const handle = await client.withDeadline(Date.now() + acceptanceMs, () =>
          client.workflow.startUpdateWithStart(hold, {
            args: [request],
            waitForStage: "ACCEPTED",
            startWorkflowOperation: landingOperation(input),
          }),
        );
        return client.withDeadline(Date.now() + answerMs, () => handle.result());
      });
    },

    async view(item, attempt) {
      return asked(async () => {
        try {
          return await client.withDeadline(Date.now() + acceptanceMs, () =>
            client.workflow.getHandle(workflowId.landing(item, attempt)).query(landingView),
          );
        } catch (error) {
          if (error instanceof WorkflowNotFoundError) return null;
          throw error;
        }
      });
    },

    async touch(project, pullRequests) {
      const signal = () =>
        client.workflow.signalWithStart<typeof refresh, [{ pullRequests: readonly number[] }]>(
          "refresh",
          {
            ...refreshStart(project, taskQueue),
            signal: pullRequestsTouched,
            signalArgs: [{ pullRequests }],
          },
        );
      await asked(() => soon(signal), noAnswer);
    },

    async refreshAll(project) {
      return asked(() =>
        client.withDeadline(Date.now() + answerMs, () =>
          client.workflow.executeUpdateWithStart(refreshAll, {
            startWorkflowOperation: new WithStartWorkflowOperation<typeof refresh>("refresh", {
              ...refreshStart(project, taskQueue),
              workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
            }),
          }),
        ),
      );
    },

    async ensureUpkeep(project) {
      const spec = { intervals: [{ every: `${project.upkeepSeconds}s` as const }] };
      const action = {
        type: "startWorkflow" as const,
        workflowType: "upkeep",
        workflowId: workflowId.upkeep(project.key),
        taskQueue,
        args: [{ project: project.key }] as Parameters<typeof upkeep>,
        typedSearchAttributes: [{ key: yokeProject, value: project.key }],
      };
      const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: "1m" as const };
      const id = scheduleId.upkeep(project.key);
      await asked(async () => {
        const handle = client.schedule.getHandle(id);
        const known = await soon(() => handle.describe()).then(
          () => true,
          (error: unknown) => {
            if (error instanceof Error && error.name === "ScheduleNotFoundError") return false;
            throw error;
          },
        );
        await soon(async () => {
          if (known) await handle.update((previous) => ({ ...previous, spec, action, policies }));
          else
            await client.schedule.create<typeof upkeep>({ scheduleId: id, spec, action, policies });
        });
      }, noAnswer);
    },

    async pollers(hosts) {
      const names = [taskQueue, ...hosts.map((host) => queues.host(host, taskQueue))];
      return asked(
        () => Promise.all(names.map(async (queue) => ({ queue, pollers: await pollersOf(queue) }))),
        noAnswer,
      );
    },
  };
}
