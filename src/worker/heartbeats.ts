/**
 * Heartbeats of every activity, so that a worker that died is noticed in seconds, not at the end of the activity's own
 * time. An activity that ends before its first beat sends none; one that hangs still ends at `startToCloseTimeout`.
 */
import type {
  ActivityInboundCallsInterceptor,
  ActivityInterceptorsFactory,
} from "@temporalio/worker";

/** Beats within one `heartbeatTimeout`: one may be late and one be lost. */
const beats = 3;

export const heartbeats: ActivityInterceptorsFactory = (context) => {
  const { heartbeatTimeoutMs } = context.info;
  if (heartbeatTimeoutMs === undefined) return {};
  const inbound: ActivityInboundCallsInterceptor = {
    async execute(input, next) {
      const timer = setInterval(() => context.heartbeat(), heartbeatTimeoutMs / beats);
      try {
        return await next(input);
      } finally {
        clearInterval(timer);
      }
    },
  };
  return { inbound };
};
