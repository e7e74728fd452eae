/** `doctor.run`: the server's half of `yoke doctor`. One line for each thing that must work. */
import { z } from "zod";
import { listLanes } from "../../db/lanes.js";
import { listProjects } from "../../db/projects.js";
import { readSchemaState } from "../../db/migrate.js";
import type { FunctionContext } from "./context.js";
import { defineFunction } from "./define.js";
import { checkProject } from "./doctor-project.js";
import { failed, ok, type Check } from "./doctor-check.js";
import { projectKey } from "./input-shapes.js";
import { storedProject } from "./stored.js";

export const doctorRun = defineFunction({
  name: "doctor.run",
  since: "0.1.0",
  summary: "Check the database, Temporal, the workers, and each project's access to GitHub.",
  effect: "read",
  input: z.strictObject({ project: projectKey.optional() }),
  output: z.object({
    /** No check failed. */
    healthy: z.boolean(),
    checks: z.array(
      z.object({
        name: z.string(),
        state: z.enum(["ok", "warn", "fail"]),
        text: z.string(),
        next: z.string().nullable(),
      }),
    ),
  }),
  async run(context, { project }) {
    const database = await checkDatabase(context);
    const readable = database.every(({ state }) => state !== "fail");
    const checks = [...database, ...(await checkWorkers(context, readable))];
    if (readable) {
      const projects =
        project === undefined
          ? await listProjects(context.db)
          : [await storedProject(context, project)];
      const each = await Promise.all(projects.map((one) => checkProject(context, one)));
      checks.push(...each.flat());
    }
    return { healthy: checks.every(({ state }) => state !== "fail"), checks };
  },
});

async function checkDatabase(context: FunctionContext): Promise<readonly Check[]> {
  try {
    const { missing, differences } = await readSchemaState(context.db);
    const reached = ok("database", "Postgres answers.");
    if (differences.length > 0) {
      const names = differences.map(({ name, why }) => `${name} is ${why}`).join(", ");
      return [
        reached,
        {
          name: "migrations",
          state: "fail",
          text: `The database was migrated by another version: ${names}.`,
          next: "Run the version of yoke that migrated it, or upgrade all parts to the newer one.",
        },
      ];
    }
    if (missing.length > 0) {
      return [
        reached,
        {
          name: "migrations",
          state: "fail",
          text: `The database lacks ${missing.join(", ")}.`,
          next: "Start `yoke up`, or the migrate step of the fleet, once.",
        },
      ];
    }
    return [reached, ok("migrations", "The database is at this version.")];
  } catch (error) {
    return [failed("database", error)];
  }
}

/** Every queue that something was or will be asked of has a poller (case E17). */
async function checkWorkers(
  context: FunctionContext,
  readable: boolean,
): Promise<readonly Check[]> {
  try {
    const lanes = readable ? await listLanes(context.db, { state: "active" }) : [];
    const hosts = [...new Set(lanes.map(({ host }) => host))].sort();
    const queues = await context.landings.pollers(hosts);
    return [
      ok("temporal", "Temporal answers."),
      ...queues.map(({ queue, pollers }): Check => {
        const name = `worker ${queue}`;
        if (pollers > 0) return ok(name, `${pollers} worker(s) poll the task queue ${queue}.`);
        return {
          name,
          state: "fail",
          text: `no_worker: no worker polls the task queue ${queue}.`,
          next:
            queue === context.taskQueue
              ? "Start one with `yoke up` or `yoke worker`."
              : "Start `yoke worker` on the host that has the lanes.",
        };
      }),
    ];
  } catch (error) {
    return [failed("temporal", error)];
  }
}
