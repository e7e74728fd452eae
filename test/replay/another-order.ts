/** The workflows with one command more at the beginning of a landing: what a change without a patch id looks like. */
import { sleep } from "@temporalio/workflow";
import { landing as asItIs } from "../../workflows/landing.js";

export async function landing(...input: Parameters<typeof asItIs>): ReturnType<typeof asItIs> {
  await sleep(1);
  return asItIs(...input);
}
