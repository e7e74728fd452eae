import { expect, it } from "vitest";
import { listNotices } from "../../db/notices.js";
import { listReservations } from "../../db/reservations.js";
import { waitedForReentry } from "../replay/stories.js";

it("A5.5 A7.1 a conflict with the entry ahead is told once, asks nothing, and the unchanged head is queued again", async () => {
  const { story, item } = await waitedForReentry();
  const { db } = story.context;
  const notices = await listNotices(db, { item });
  expect(notices.map(({ kind }) => kind)).toEqual(["queue_conflict", "landed"]);
  const [conflict] = notices;
  expect(conflict).toMatchObject({ next: null, reason: null });
  expect(conflict?.body).toContain("(#1)");
  expect(conflict?.body).toContain("README.md");
  expect(conflict?.body).toContain("it proves no conflict");

  const [, reentry] = await listReservations(db, { item });
  expect(reentry).toMatchObject({ key: `enqueue:${item}:1:reentry:1`, state: "completed" });
  const [first, second] = story.simulator.world.pullRequests(story.repository);
  expect(first?.state).toBe("OPEN");
  expect(second).toMatchObject({ state: "MERGED" });
  const heads = second?.timeline.filter(({ type }) => type === "HeadRefForcePushedEvent") ?? [];
  expect(heads).toEqual([]);
});
