import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, it, onTestFinished, vi } from "vitest";
import { stage, type Stage } from "../workflows/stage.js";
import { madeWrong } from "./made-wrong.js";
import { mailboxes, noticesOfEpisodes } from "./notices.js";

/** A landing that stopped, told to a holder whose mailbox is a file. */
async function stopped(on: Stage): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "yoke-mailbox-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "mailbox.jsonl");
  const { project, item } = on;
  const wakeRoute = { kind: "file", path };
  await on.ask("sessions.register", { id: project, host: "stage", project, wakeRoute });
  await on.ask("claim.take", { item, session: project });
  await on.merge();
  on.github.change({ autoMerge: null });
  await on.upkeep();
  await vi.waitFor(async () => expect(await readFile(path, "utf8")).toContain("stopped"), {
    timeout: 20_000,
  });
  return path;
}

it("a notice too many, and one that is not there, are seen; the true ones are not", async () => {
  const on = await stage();
  await stopped(on);
  const world = await on.world();
  expect(await noticesOfEpisodes.violations(world)).toEqual([]);

  const twice = sql`
    insert into notices (key, project, item, episode, kind, title, body, failed_checks, state, created_at)
    select key || '-again', project, item, episode, kind, title, body, failed_checks, 'pending', created_at
    from notices`;
  expect(
    await madeWrong(world.db, [twice], (db) => noticesOfEpisodes.violations({ ...world, db })),
  ).toEqual([
    `there is more than one of ${on.item}, episode 1, stopped`,
    expect.stringContaining("decided the notices [1:stopped]"),
  ]);

  const none = sql`delete from notices`;
  expect(
    await madeWrong(world.db, [none], (db) => noticesOfEpisodes.violations({ ...world, db })),
  ).toEqual([
    expect.stringContaining("decided the notices [1:stopped]; stored are []"),
    `${on.item} is stopped in episode 1, and no notice says so`,
  ]);
});

it("a mailbox that holds a notice twice, or one that nobody decided, is seen; one that holds each once is not", async () => {
  const on = await stage();
  const path = await stopped(on);
  const world = await on.world();
  expect(await mailboxes.violations(world)).toEqual([]);
  const key = `${on.item}/1/stopped`;
  expect(await mailboxes.violations({ ...world, mailboxes: [[key]] })).toEqual([]);

  const once = await readFile(path, "utf8");
  await appendFile(path, once);
  expect(await mailboxes.violations(world)).toEqual([`${key} was delivered more than once`]);
  await writeFile(path, once);
  expect(await mailboxes.violations({ ...world, mailboxes: [[key, key], ["made-up"]] })).toEqual([
    `${key} was delivered more than once`,
    "made-up was delivered and is no notice",
  ]);
});
