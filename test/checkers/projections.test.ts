import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { findLanding } from "../../db/landings.js";
import { stage } from "../workflows/stage.js";
import { madeWrong } from "./made-wrong.js";
import { differs, projections } from "./projections.js";

it("a record that does not equal its workflow's view is seen; the true one is not", async () => {
  const on = await stage();
  await on.merge();
  const world = await on.world();
  expect(await projections.violations(world)).toEqual([]);
  const wrong = async (change: ReturnType<typeof sql>) => {
    const [seen, ...more] = await madeWrong(world.db, [change], (db) =>
      projections.violations({ ...world, db }),
    );
    expect(more).toEqual([]);
    return seen;
  };
  expect(await wrong(sql`update landings set version = version + 1`)).toContain("the record is at");
  expect(
    await wrong(sql`update landings set state = jsonb_set(state, '{episode}', '7')`),
  ).toContain("episode is 7 in the record, 1 in the workflow");
  expect(await wrong(sql`update landings set why = 'because'`)).toContain(
    'the record says "because"',
  );
  expect(await wrong(sql`delete from landings`)).toContain("no record is stored");
  const later = sql`update landings set state = jsonb_set(state, '{lastObservation,readAt}', '"2027-01-01T00:00:00Z"')`;
  expect(await wrong(later)).toContain("a reading that the workflow does not have");
});

it("only a later reading that decided nothing may be missing in the record", async () => {
  const on = await stage();
  await on.merge();
  const record = await findLanding(on.context.db, { item: on.item });
  const view = await on.context.landings.view(on.item);
  if (record === null || view?.state.lastObservation == null) throw new Error("nothing was armed");
  const lastObservation = { ...view.state.lastObservation, readAt: "2027-01-01T00:00:00Z" };
  const seenLater = { ...view, state: { ...view.state, lastObservation }, why: "told anew" };
  expect(differs(record, view)).toBeNull();
  expect(differs(record, seenLater)).toBeNull();
  expect(differs(record, { ...seenLater, version: view.version + 1 })).toContain("at version");
  expect(differs(record, null)).toBe("it has a record and no workflow");
  expect(differs(null, null)).toBeNull();
});
