/** `notices.list` */
import { z } from "zod";
import { listNotices } from "../../db/notices.js";
import { defineFunction } from "./define.js";
import { itemKey, projectKey, word } from "./input-shapes.js";
import { noticeShape } from "./record-shapes.js";
import { storedItem, storedProject } from "./stored.js";

export const noticesList = defineFunction({
  name: "notices.list",
  since: "0.1.0",
  summary: "List notices, the oldest first; without those that were acknowledged.",
  effect: "read",
  input: z.strictObject({
    project: projectKey.optional(),
    item: itemKey.optional(),
    /** Whom they went to. */
    session: word("the id of a session").optional(),
    /** With the acknowledged ones. */
    all: z.boolean().default(false),
  }),
  output: z.object({ notices: z.array(noticeShape) }),
  async run(context, { all, ...wanted }) {
    if (wanted.project !== undefined) await storedProject(context, wanted.project);
    if (wanted.item !== undefined) await storedItem(context, wanted.item);
    return { notices: await listNotices(context.db, { ...wanted, open: !all }) };
  },
});
