/** `github.merge_queue.hold`: takes an item out of the queue, or disarms it, and reads that back (A6.2). */
import { z } from "zod";
import { shownLanding } from "../core/landing/landings-of-item.js";
import { EXIT } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { refuseUnlessHolder } from "./holder.js";
import { itemKey } from "./input-shapes.js";
import { landingInput, landingsOf } from "./landings-of.js";
import { landingViewSchema, viewOf } from "./landing-view.js";
import { storedItem, storedProject } from "./stored.js";

export const githubMergeQueueHold = defineFunction({
  name: "github.merge_queue.hold",
  since: "0.1.0",
  summary: "Disarm or dequeue an item's pull request, and confirm it by reading it again.",
  effect: "write",
  input: z.strictObject({ item: itemKey }),
  output: z.object({
    item: z.string(),
    landing: landingViewSchema,
    /** GitHub was read after the hold, and shows neither merge-when-ready nor a queue entry. */
    confirmed: z.boolean(),
    next: z.string(),
  }),
  exit: ({ confirmed }) => (confirmed ? EXIT.ok : EXIT.uncertain),
  async run(context, { item: key }) {
    const item = await storedItem(context, key);
    await refuseUnlessHolder(context, key);
    const project = await storedProject(context, item.project);
    const shown = shownLanding(await landingsOf(context, key));
    const answer = await context.landings.hold(
      { item: key, session: context.session },
      landingInput(project, key, shown),
    );
    if (answer.outcome === "refused") throw new Refused(answer.refusals);
    const { confirmed } = answer;
    return {
      item: key,
      landing: viewOf(answer.state, confirmed ? "held" : "held, not yet confirmed by GitHub"),
      confirmed,
      next: confirmed
        ? `Arm it again with \`yoke merge item ${key}\`.`
        : `Read the pull request before you push, then run \`yoke github merge-queue hold ${key}\` again.`,
    };
  },
});
