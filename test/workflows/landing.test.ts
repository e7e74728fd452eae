import { describe, expect, it, vi } from "vitest";
import { down, lost } from "./scripted-github.js";
import { mergeCommit, stage, type Stage } from "./stage.js";

const settled = async (on: Stage, phase: string) => {
  await on.upkeep();
  await vi.waitFor(async () => expect(await on.phase()).toBe(phase), {
    timeout: 20_000,
    interval: 50,
  });
};

describe("the landing workflow", () => {
  it("A1.1 A1.3 A1.4 arms once, whoever asks again, and closes out with exit 0", async () => {
    const on = await stage();
    const both = await Promise.all([on.merge(), on.merge()]);
    expect(both.map(({ exit }) => exit)).toEqual([9, 9]);
    expect(on.github.count("enableAutoMerge")).toBe(1);
    expect(on.github.count("openPullRequest")).toBe(1);

    on.github.merged(mergeCommit);
    await settled(on, "landed");
    const landed = await on.merge();
    expect(landed).toMatchObject({
      ok: true,
      exit: 0,
      output: {
        outcome: "landed",
        receipt: { mergeCommit, carriedBy: mergeCommit },
        lane: { removed: true },
      },
    });
    // After close-out the same command answers the same, from the record.
    expect(await on.merge()).toMatchObject({ ok: true, exit: 0, output: { outcome: "landed" } });
    expect(on.github.count("enableAutoMerge")).toBe(1);
  });

  it("A1.1 A6.1 a stop, a second arming and a landing are one history that replays", async () => {
    const on = await stage();
    await on.merge();
    on.github.change({ autoMerge: null });
    await settled(on, "stopped");
    await on.merge();
    on.github.merged(mergeCommit);
    await settled(on, "landed");
    expect(await on.merge()).toMatchObject({ ok: true, exit: 0 });
  });

  it("A1.6 A11.4 result and verification given while arming are in the receipt of the close-out", async () => {
    const on = await stage();
    await on.merge({ result: "tea", verification: "npm test" });
    on.github.merged(mergeCommit);
    await settled(on, "landed");
    expect(await on.merge()).toMatchObject({
      output: { receipt: { result: "tea", verification: "npm test" } },
    });
  });

  it("case A31 a lost reply is read back and never sent again", async () => {
    const on = await stage();
    on.github.fail("enableAutoMerge", "after", lost);
    expect(await on.merge()).toMatchObject({ ok: true, exit: 9 });
    expect(on.github.count("enableAutoMerge")).toBe(1);
    expect(on.github.unused).toEqual([]);
  });

  it("A1.3 a request that was lost before its effect is sent again after a reading found nothing", async () => {
    const on = await stage();
    on.github.fail("enableAutoMerge", "before", lost);
    expect(await on.merge()).toMatchObject({ ok: true, exit: 9 });
    expect(on.github.count("enableAutoMerge")).toBe(2);
    expect(on.github.pullRequest?.autoMerge).not.toBeNull();
  });

  it("A1.3 an opened pull request whose reply was lost is found, and no second one is opened", async () => {
    const on = await stage();
    on.github.fail("openPullRequest", "after", lost);
    expect(await on.merge()).toMatchObject({ ok: true, exit: 9 });
    expect(on.github.count("openPullRequest")).toBe(1);
  });

  it("A1.2 a preflight that cannot read GitHub refuses and sends nothing; its twin arms", async () => {
    const on = await stage();
    on.github.fail("landingTarget", "before", down);
    expect(await on.merge()).toMatchObject({
      ok: false,
      refusals: [{ code: "github_unavailable" }],
    });
    expect(on.github.count("enableAutoMerge")).toBe(0);
    expect(await on.merge()).toMatchObject({ ok: true, exit: 9 });
  });

  it("A16.4 a dry run of a landed item says that it would close out, and does not", async () => {
    const on = await stage();
    await on.merge();
    on.github.merged(mergeCommit);
    await settled(on, "landed");
    expect(await on.merge({ dryRun: true })).toMatchObject({
      ok: true,
      exit: 0,
      output: { outcome: "would_arm", call: "close_out" },
    });
    expect(await on.phase()).toBe("landed");
    expect(await on.merge()).toMatchObject({ ok: true, output: { outcome: "landed" } });
  });

  it("A4.4 re-entry reads GitHub itself when the stored record does not say landed", async () => {
    const on = await stage();
    await on.merge();
    on.github.merged(mergeCommit);
    expect(await on.merge()).toMatchObject({ ok: true, exit: 0, output: { outcome: "landed" } });
  });

  it("A4.8 a pass that finds nothing new signals nothing and stores nothing", async () => {
    const on = await stage();
    await on.merge();
    await on.upkeep();
    const before = await on.context.landings.view(on.item);
    expect(await on.context.landings.refreshAll(on.project)).toMatchObject({
      observed: 1,
      changed: 0,
    });
    expect(await on.context.landings.view(on.item)).toEqual(before);
  });

  it("A5.3 A6.1 leaving the queue is one stopped notice, and arming again is a new episode", async () => {
    const on = await stage();
    await on.merge();
    on.github.change({ autoMerge: null });
    await settled(on, "stopped");
    await on.upkeep();
    expect(await on.notices()).toMatchObject({
      notices: [{ kind: "stopped", reason: "left_the_queue" }],
    });
    expect(await on.merge()).toMatchObject({ exit: 9, output: { landing: { episode: 2 } } });
  });

  it("A6.3 a notice that nobody can be told stays on record with its reason, asks for no timer, and reaches the next holder", async () => {
    const on = await stage();
    await on.merge();
    on.github.change({ autoMerge: null });
    await settled(on, "stopped");
    const undelivered = {
      state: "pending",
      recipient: null,
      lastError: "its holder is gone and the project has no steering seat",
    };
    await vi.waitFor(
      async () => expect(await on.notices()).toMatchObject({ notices: [undelivered] }),
      { timeout: 20_000, interval: 50 },
    );
    const attempts = async () => {
      const { notices } = (await on.notices()) as unknown as { notices: { attempts: number }[] };
      return notices[0]?.attempts;
    };
    const before = await attempts();
    await on.upkeep();
    expect(await on.timers()).toBe(0);
    expect(await attempts()).toBe(before);
    expect(await on.ask("explain.item", { item: on.item })).toMatchObject({
      output: {
        reasons: expect.arrayContaining([expect.objectContaining({ code: "notice_undelivered" })]),
      },
    });

    const registered = { id: `builder-${on.project}`, harness: "person", host: "stage" };
    await on.ask("sessions.register", { ...registered, wakeRoute: { kind: "operator" } });
    await on.ask("claim.take", { item: on.item, session: registered.id });
    await on.upkeep();
    await vi.waitFor(
      async () =>
        expect(await on.notices()).toMatchObject({
          notices: [{ state: "delivered", recipient: registered.id }],
        }),
      { timeout: 20_000, interval: 50 },
    );
  });

  it("A5.12 no stop is said while the base branch contains the candidate", async () => {
    const on = await stage();
    await on.merge();
    on.github.evidence = { ...on.github.evidence, baseContainsCandidate: "yes" };
    on.github.change({ autoMerge: null });
    await on.upkeep();
    await vi.waitFor(() => expect(on.github.count("stopEvidence")).toBe(1), { timeout: 10_000 });
    expect(await on.phase()).toBe("pending");
    expect(await on.notices()).toMatchObject({ notices: [] });
  });

  it("A4.7 a reading that fails stops nothing, and Temporal's web UI says what is waited for", async () => {
    const on = await stage();
    await on.merge();
    for (let time = 0; time < 4; time += 1) on.github.fail("stopEvidence", "before", down);
    on.github.change({ autoMerge: null });
    await on.upkeep();
    const { temporal } = await on.world();
    const details = async () => {
      const landing = temporal.workflow.getHandle(`landing:${on.item}`);
      return (await landing.query<{ currentDetails: string }>("__temporal_workflow_metadata"))
        .currentDetails;
    };
    await expect
      .poll(details, { timeout: 20_000 })
      .toContain("why: waiting: what its stop rests on could not be read (502)");
    expect(await on.phase()).toBe("pending");
    await settled(on, "stopped");
    expect(await details()).toContain("state: stopped");
  });

  it("A6.2 a hold lets go, is confirmed by reading, and waits without a notice", async () => {
    const on = await stage();
    await on.merge();
    expect(await on.ask("github.merge_queue.hold", { item: on.item })).toMatchObject({ ok: true });
    expect(on.github.pullRequest?.autoMerge).toBeNull();
    await settled(on, "held");
    expect(await on.notices()).toMatchObject({ notices: [] });
  });

  it("A6.2 a hold that cannot be confirmed says so", async () => {
    const on = await stage();
    await on.merge();
    for (let time = 0; time < 3; time += 1) on.github.fail("disableAutoMerge", "before", down);
    expect(await on.ask("github.merge_queue.hold", { item: on.item })).toMatchObject({
      ok: false,
      refusals: [{ code: "hold_unconfirmed" }],
    });
  });

  it("A11.1 a merge without its commit stamps nothing and names the missing identity", async () => {
    const on = await stage();
    await on.merge();
    on.github.change({
      state: "MERGED",
      autoMerge: null,
      merge: { commit: null, mergedAt: "2026-01-01T01:00:00Z" },
    });
    await on.upkeep();
    await vi.waitFor(
      async () =>
        expect(await on.ask("project.get", { project: on.project })).toMatchObject({
          output: { project: { refreshError: { code: "merge_landing_identity_missing" } } },
        }),
      { timeout: 20_000, interval: 50 },
    );
    on.github.merged(mergeCommit);
    await settled(on, "landed");
  });
});
