/** `qualifications.record`: what was verified, and whether it passed (A1.2). */
import { z } from "zod";
import { recordQualification } from "../../db/qualifications.js";
import { defineFunction } from "./define.js";
import { refuseUnlessHolder } from "./holder.js";
import { itemKey, oid, words } from "./input-shapes.js";
import { qualificationShape } from "./record-shapes.js";
import { storedItem, storedProject } from "./stored.js";

export const qualificationsRecord = defineFunction({
  name: "qualifications.record",
  since: "0.1.0",
  summary: "Record whether exactly this commit and tree of an item passed verification.",
  effect: "write",
  input: z.strictObject({
    item: itemKey,
    commit: oid,
    tree: oid,
    /** The requirement it was verified under; without it the project's current one. */
    requirementDigest: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "expected a SHA-256 in hex")
      .optional(),
    verdict: z.enum(["passed", "failed"]),
    evidence: words("what was run and what it said", 100_000),
  }),
  output: z.object({
    qualification: qualificationShape,
    /** False when it was verified under another requirement than the project's current one: then it does not count. */
    current: z.boolean(),
  }),
  async run(context, input) {
    const { project: key } = await storedItem(context, input.item);
    await refuseUnlessHolder(context, input.item);
    const project = await storedProject(context, key);
    const qualification = await recordQualification(context.db, {
      ...input,
      id: context.newId(),
      requirementDigest: input.requirementDigest ?? project.requirementDigest,
      recordedBy: context.session ?? "person",
      at: context.now(),
    });
    return {
      qualification,
      current: qualification.requirementDigest === project.requirementDigest,
    };
  },
});
