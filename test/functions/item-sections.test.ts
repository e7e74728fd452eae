import { describe, expect, it } from "vitest";
import { enrichReceipt, recordReceipt } from "../../db/receipts.js";
import { reserve } from "../../db/reservations.js";
import { after, noon, sampleItem, sha } from "../db/sample.js";
import { benchOfFile } from "./bench.js";

const makeBench = benchOfFile();

describe("computed sections of an item", () => {
  it("Merge Receipts say what close-out proved, and before that that it is owed", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const { key: item } = await sampleItem(db);
    const body = async () =>
      (await bench.done("items.section.get", { item, section: "Merge Receipts" }))["section"];
    expect(await body()).toMatchObject({ body: "", writtenAt: null });
    const identity = { item, pullRequest: 12, mergeCommit: sha("c") };
    const landed = { headBranch: "turn", target: "main", head: sha("a"), mergedAt: noon };
    await recordReceipt(db, { ...identity, ...landed, at: noon });
    expect(await body()).toMatchObject({ body: expect.stringContaining("close-out: owed") });
    await enrichReceipt(db, {
      ...identity,
      closeOut: {
        carriedBy: sha("d"),
        proof: "ancestry",
        integrity: { is: "intact" },
        verifiedByGroup: true,
        result: "turns",
        verification: null,
        changedFiles: ["a.ts"],
        contributedCommits: [sha("a")],
        at: after(60),
      },
    });
    expect(await body()).toMatchObject({
      body: expect.stringContaining(`carried by: ${sha("d")} (proof: ancestry)`),
    });
  });

  it("A9.3 Merge train retries show the retry reservations, and no other ones", async () => {
    const bench = makeBench();
    const { db } = bench.context;
    const { key: item } = await sampleItem(db);
    const reservation = { item, detail: "TEST: flaked", at: noon };
    await reserve(db, { ...reservation, key: `retry:${item}`, kind: "flake_retry" });
    await reserve(db, { ...reservation, key: `enqueue:${item}`, kind: "enqueue" });
    expect(
      await bench.done("items.section.get", { item, section: "Merge train retries" }),
    ).toMatchObject({
      section: { body: `${noon} reserved: TEST: flaked (retry:${item})` },
    });
  });
});
