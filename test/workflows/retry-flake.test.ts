import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { listReservations } from "../../db/reservations.js";
import { listSteeringMessages } from "../../db/steering.js";
import type { GitHubFault } from "../../src/core/github-fault.js";
import { lost } from "./scripted-github.js";
import { stage, type Stage } from "./stage.js";

const runUrl = "https://github.test/acme/shop/actions/runs/900";
const retryFlake = "tea.spec: the kettle was cold";

const refusedByQueue: GitHubFault = {
  kind: "refused",
  status: 200,
  type: "UNPROCESSABLE",
  meaning: "unknown_refusal",
  message: "the queue is full",
};

/** The train of the armed landing fails. */
async function trainFails(on: Stage): Promise<void> {
  on.github.evidence = {
    baseContainsCandidate: "no",
    removal: null,
    failedChecks: [{ name: "ci", conclusion: "FAILURE", url: null, on: "group", runUrl }],
  };
  on.github.change({ autoMerge: null, queue: { read: "none" } });
  await on.upkeep();
  await expect.poll(() => on.phase(), { timeout: 20_000 }).toBe("stopped");
}

async function failedOnce(): Promise<Stage> {
  const on = await stage();
  expect(await on.merge()).toMatchObject({ ok: true, exit: 9 });
  await trainFails(on);
  return on;
}

/** The complete command again, with `--retry-flake`. */
const retry = (on: Stage, text = retryFlake) => on.merge({ retryFlake: text }, "merge.retry_flake");

async function claims(on: Stage) {
  const all = await listReservations(on.context.db, { item: on.item });
  return all.filter(({ kind }) => kind === "flake_retry");
}

const said = (on: Stage) => listSteeringMessages(on.context.db, on);

describe("--retry-flake", () => {
  it("A9.1 A9.2 claims one retry for the pull request, head and base; a second failure belongs to the item", async () => {
    const on = await failedOnce();
    expect(await retry(on)).toMatchObject({ ok: true, exit: 9 });
    const [claim, ...others] = await claims(on);
    expect(others).toEqual([]);
    const { head, pullRequest } = on.github.pullRequest ?? {};
    const base = on.github.gate.head ?? "";
    expect(claim).toMatchObject({
      key: `flake:${on.project}:${pullRequest}:${head}:${base}`,
      state: "completed",
    });
    for (const word of [
      retryFlake,
      runUrl,
      `pull request ${pullRequest}`,
      head,
      base,
      "session -",
    ]) {
      expect(claim?.detail).toContain(word);
    }
    // Entered twice: it is armed, and nothing is claimed.
    expect(await retry(on)).toMatchObject({ ok: true, exit: 9 });

    await trainFails(on);
    const armings = on.github.count("enableAutoMerge");
    expect(await retry(on)).toMatchObject({
      ok: false,
      exit: 2,
      refusals: [{ code: "merge_train_flake_retry_exhausted" }],
    });
    expect(on.github.count("enableAutoMerge")).toBe(armings);
    const section = await on.ask("items.section.get", {
      item: on.item,
      section: "Merge train retries",
    });
    expect(JSON.stringify(section)).toContain(retryFlake);
    // Another base is another input.
    on.github.gate = { ...on.github.gate, head: "1".repeat(40) };
    expect(await retry(on)).toMatchObject({ ok: true, exit: 9 });
    expect(await claims(on)).toHaveLength(2);
  });

  it("A9.2 the observer claims none, and an ordinary re-entry neither", async () => {
    const on = await failedOnce();
    await on.upkeep();
    expect(await claims(on)).toEqual([]);
    expect(await on.merge()).toMatchObject({ ok: true, exit: 9 });
    expect(await claims(on)).toEqual([]);
    expect(await said(on)).toEqual([]);
  });

  it("A9.1 refuses a claim that names no reason or no failed train, and arms nothing; its twin arms", async () => {
    const on = await stage();
    expect(await retry(on)).toMatchObject({ refusals: [{ code: "flake_train_missing" }] });
    expect(on.github.count("enableAutoMerge")).toBe(0);
    await on.merge();
    await trainFails(on);
    expect(await retry(on, "tea.spec")).toMatchObject({
      exit: 4,
      refusals: [{ code: "flake_reason_invalid" }],
    });
    on.github.evidence = { ...on.github.evidence, failedChecks: [] };
    expect(await claims(on)).toEqual([]);
    expect(on.github.count("enableAutoMerge")).toBe(1);
    expect(await retry(on)).toMatchObject({ ok: true, exit: 9 });
  });

  it("A9.1 A9.4 a train whose run nobody names is not retried blindly", async () => {
    const on = await stage();
    await on.merge();
    await trainFails(on);
    await on.merge();
    on.github.evidence = {
      baseContainsCandidate: "no",
      removal: null,
      failedChecks: [{ name: "scan", conclusion: "FAILURE", url: null, on: "group" }],
    };
    on.github.change({ autoMerge: null });
    await on.upkeep();
    await expect.poll(() => on.phase(), { timeout: 20_000 }).toBe("stopped");
    expect(await retry(on)).toMatchObject({ refusals: [{ code: "flake_run_unknown" }] });
    expect(await claims(on)).toEqual([]);
  });

  it("A9.3 a refused queue-entry request gives the claim back, an uncertain one spends it", async () => {
    const on = await failedOnce();
    on.github.fail("enableAutoMerge", "before", refusedByQueue);
    expect(await retry(on)).toMatchObject({ ok: false, refusals: [{ code: "arming_refused" }] });
    expect(await claims(on)).toMatchObject([{ state: "released" }]);
    for (let send = 0; send < 4; send += 1) on.github.fail("enableAutoMerge", "before", lost);
    expect(await retry(on)).toMatchObject({ exit: 3, refusals: [{ code: "arming_uncertain" }] });
    expect(await claims(on)).toMatchObject([{ state: "uncertain" }]);
    // It took effect after all, and failed again.
    await on.github.enableAutoMerge();
    await on.upkeep();
    await trainFails(on);
    expect(await retry(on)).toMatchObject({
      refusals: [{ code: "merge_train_flake_retry_exhausted" }],
    });
  });

  it("A9.3 an accepted request whose reply was lost keeps the claim spent", async () => {
    const on = await failedOnce();
    on.github.fail("enableAutoMerge", "after", lost);
    expect(await retry(on)).toMatchObject({ ok: true, exit: 9 });
    expect(await claims(on)).toMatchObject([{ state: "completed" }]);
  });

  it("A9.3 a release that fails names the reservation and its repair, and the same command repairs it", async () => {
    const on = await failedOnce();
    const { db } = on.context;
    await db.execute(sql`
      create function refuse_release() returns trigger language plpgsql as
      $$ begin raise exception 'no release today'; end $$`);
    await db.execute(sql`
      create trigger no_release before update on reservations for each row
      when (new.state = 'released' and new.kind = 'flake_retry') execute function refuse_release()`);
    on.github.fail("enableAutoMerge", "before", refusedByQueue);
    const answer = await retry(on);
    const [claim] = await claims(on);
    expect(answer).toMatchObject({
      refusals: [{ code: "arming_refused" }, { code: "flake_release_failed" }],
    });
    expect(JSON.stringify(answer)).toContain(claim?.key);
    expect(claim).toMatchObject({ state: "reserved" });
    await db.execute(sql`drop trigger no_release on reservations`);
    expect(await retry(on)).toMatchObject({ ok: true, exit: 9 });
    expect(await claims(on)).toMatchObject([{ key: claim?.key, state: "completed" }]);
    expect(await said(on)).toHaveLength(1);
  });

  it("A9.5 the steering seat is told before arming; a message that was said for this run is used", async () => {
    const told = await failedOnce();
    told.github.fail("enableAutoMerge", "before", refusedByQueue);
    await retry(told);
    const [message, ...more] = await said(told);
    expect(more).toEqual([]);
    expect(message?.text).toContain("tea.spec");
    expect(message?.text).toContain(runUrl);
    // The retry that follows the refused one says nothing new.
    await retry(told);
    expect(await said(told)).toHaveLength(1);

    const spoken = await failedOnce();
    const text = `tea.spec flaked: ${runUrl}/job/1`;
    expect(await spoken.ask("steering.say", { item: spoken.item, text })).toMatchObject({
      ok: true,
    });
    expect(await retry(spoken)).toMatchObject({ ok: true, exit: 9 });
    expect(await said(spoken)).toMatchObject([{ text }]);
  });
});
