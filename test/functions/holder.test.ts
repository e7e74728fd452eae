import { describe, expect, it } from "vitest";
import { sampleItem, sampleProject, sampleSession, sha } from "../db/sample.js";
import { benchOfFile, codes } from "./bench.js";

const makeBench = benchOfFile();

describe("who may write on an item", () => {
  it("case D12 of ten sessions that claim at once one holds it, and the others learn which", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const { key: item } = await sampleItem(db);
    const sessions = await Promise.all(Array.from({ length: 10 }, () => sampleSession(db)));
    const outcomes = await Promise.all(
      sessions.map(({ id }) => bench.ask("claim.take", { item }, id)),
    );
    const winners = sessions.filter((_session, index) => outcomes[index]?.ok === true);
    expect(winners).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.ok) continue;
      expect(outcome.refusals).toMatchObject([
        { code: "claim_held", seen: { item, holder: winners[0]?.id } },
      ]);
    }
  });

  it("is its holder, or a person; when the holder's session ended, anybody", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const project = await sampleProject(db);
    const { key: item } = await sampleItem(db, project);
    const { key: on } = await sampleItem(db, project);
    const [holder, other] = [await sampleSession(db), await sampleSession(db)];
    await bench.done("claim.take", { item }, holder.id);
    const worktree = { branch: "b", path: `/l/${item}`, commonDir: `/r/${item}`, host: "bench" };
    const verified = { commit: sha("a"), tree: sha("b"), verdict: "passed", evidence: "12 passed" };
    const writes: readonly [string, object][] = [
      ["items.depends", { item, on }],
      ["lanes.register", { item, ...worktree }],
      ["qualifications.record", { item, ...verified }],
    ];
    for (const [name, input] of writes) {
      expect(codes(await bench.refusals(name, input, other.id))).toEqual(["claim_held"]);
      expect(await bench.done(name, input, holder.id)).toBeDefined();
      expect(await bench.done(name, input)).toBeDefined();
    }
    await bench.done("sessions.end", {}, holder.id);
    for (const [name, input] of writes) {
      expect(await bench.done(name, input, other.id)).toBeDefined();
    }
  });
});
