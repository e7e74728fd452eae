/** `notices.ack` */
import { z } from "zod";
import { acknowledge, listNotices } from "../../db/notices.js";
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";
import { defineFunction } from "./define.js";
import { refuseUnlessHolder } from "./holder.js";
import { word } from "./input-shapes.js";
import { noticeShape } from "./record-shapes.js";

export const noticesAck = defineFunction({
  name: "notices.ack",
  since: "0.1.0",
  summary: "Acknowledge a notice: it is not sent again and leaves the board.",
  effect: "write",
  input: z.strictObject({ id: word("the id of a notice") }),
  output: z.object({ notice: noticeShape }),
  async run(context, { id }) {
    const [known] = await listNotices(context.db, { id });
    // Its recipient may; anybody else writes on the item.
    if (known !== undefined && known.recipient !== context.session) {
      await refuseUnlessHolder(context, known.item);
    }
    const notice = await acknowledge(context.db, { id, at: context.now() });
    if (notice !== null) return { notice };
    throw new Refused([refuse("notice_unknown", `No notice has the id ${id}.`, { notice: id })]);
  },
});
