import { describe, expect, it } from "vitest";
import { setItemStatus } from "../../db/items.js";
import { commitLanding } from "../../db/landing-commit.js";
import { saveLanding } from "../../db/landings.js";
import { clearRefreshError } from "../../db/projects.js";
import {
  after,
  landedState,
  noon,
  sampleItem,
  sampleProject,
  stampOf,
  stateOf,
} from "../db/sample.js";
import { benchOfFile, type Bench } from "./bench.js";

const makeBench = benchOfFile();

interface Board {
  readonly projects: readonly { readonly stale: boolean; readonly items: readonly unknown[] }[];
}

async function boardAt(bench: Bench, time: string, input: object) {
  bench.now = time;
  const { projects } = (await bench.done("status.board", input)) as unknown as Board;
  return projects[0];
}

describe("the age of what the board says", () => {
  it("A4.2 is old when an open landing was not read for more than two intervals", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const project = await sampleProject(db);
    const input = { project: project.key };
    expect((await boardAt(bench, after(9000), input))?.stale).toBe(false);
    const item = await sampleItem(db, project);
    await saveLanding(db, { state: stateOf(item), version: 1, why: "armed", at: noon });
    expect((await boardAt(bench, after(120), input))?.stale).toBe(false);
    expect((await boardAt(bench, after(121), input))?.stale).toBe(true);
    await clearRefreshError(db, { project: project.key, at: after(100) });
    expect((await boardAt(bench, after(121), input))?.stale).toBe(false);
  });

  it("leaves out what landed longer ago than asked for", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const project = await sampleProject(db);
    const item = await sampleItem(db, project);
    const state = landedState(item);
    const stamp = stampOf({ mergedAt: noon });
    await commitLanding(db, { state, version: 1, why: "merged", at: noon, stamp, notices: [] });
    await setItemStatus(db, { item: item.key, status: "landed", at: noon });
    const later = after(25 * 3600);
    const shown = async (landedWithinHours: number) =>
      (await boardAt(bench, later, { project: project.key, landedWithinHours }))?.items.length;
    expect(await shown(24)).toBe(0);
    expect(await shown(26)).toBe(1);
  });
});
