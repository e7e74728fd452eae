/** `service.version` */
import { z } from "zod";
import { defineFunction } from "./define.js";
import { version } from "./version.js";

export const serviceVersion = defineFunction({
  name: "service.version",
  since: "0.1.0",
  summary: "Show the release that serves.",
  effect: "read",
  input: z.strictObject({}),
  output: z.object({ version: z.string(), taskQueue: z.string() }),
  run: (context) => Promise.resolve({ version, taskQueue: context.taskQueue }),
});
