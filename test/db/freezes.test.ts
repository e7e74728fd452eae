import { describe, expect, it } from "vitest";
import { violated } from "../../db/client.js";
import { findFreeze, freezeProject, liftFreeze } from "../../db/freezes.js";
import { query, withDatabase } from "./cluster.js";
import { after, noon, sampleProject } from "./sample.js";

const on = withDatabase();
const freeze = { reason: "release", until: null, drain: false, by: "lead", at: noon };

describe("freezes", () => {
  it("A16.3 a project has one freeze that stands; the next takes its place, and both are kept", async () => {
    const project = (await sampleProject(on.db)).key;
    expect(await findFreeze(on.db, { project })).toBeNull();
    await Promise.all([
      freezeProject(on.db, { project, ...freeze }),
      freezeProject(on.db, { project, ...freeze }),
    ]);
    await freezeProject(on.db, {
      project,
      ...freeze,
      reason: "outage",
      drain: true,
      at: after(60),
    });
    expect(await findFreeze(on.db, { project })).toEqual({
      ...freeze,
      reason: "outage",
      drain: true,
      at: after(60),
    });
    const rows = await query(
      on.url,
      "select lifted_reason from project_freezes where project = $1",
      [project],
    );
    expect(rows).toHaveLength(3);
  });

  it("A16.3 it is lifted once", async () => {
    const project = (await sampleProject(on.db)).key;
    await freezeProject(on.db, { project, ...freeze });
    const lift = () => liftFreeze(on.db, { project, by: null, reason: "done", at: after(5) });
    expect([await lift(), await lift()]).toEqual([true, false]);
    expect(await findFreeze(on.db, { project })).toBeNull();
  });

  it("A16.3 two that stand, and one that ended before it began, are refused by the database", async () => {
    const project = (await sampleProject(on.db)).key;
    await freezeProject(on.db, { project, ...freeze });
    const insert = (until: string | null) =>
      query(
        on.url,
        "insert into project_freezes (project, reason, until, drain, frozen_at) values ($1, 'r', $2, false, $3)",
        [project, until, noon],
      ).then(() => null, violated);
    expect(await insert(null)).toBe("project_freezes_standing_unique");
    await liftFreeze(on.db, { project, by: null, reason: null, at: after(1) });
    expect(await insert(noon)).toBe("project_freezes_until_later");
    expect(await insert(after(1))).toBeNull();
  });
});
