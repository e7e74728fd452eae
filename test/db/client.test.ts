import { sql } from "drizzle-orm";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, inTransaction, isUnavailable, violated, type Database } from "../../db/client.js";
import { addItem, listItems } from "../../db/items.js";
import { migrate } from "../../db/migrate.js";
import { addProject, findProject } from "../../db/projects.js";
import { query, startCluster, type Cluster } from "./cluster.js";
import { noon, sampleProject } from "./sample.js";

describe("connect", () => {
  let cluster: Cluster;
  let database: Database;

  beforeAll(async () => {
    cluster = await startCluster();
    await migrate(cluster.url);
    database = connect(cluster.url, { max: 3 });
  });
  afterAll(async () => {
    await database.close();
    await cluster.remove();
  });

  const failureOf = (run: Promise<unknown>): Promise<unknown> =>
    run.then(
      () => null,
      (error: unknown) => error,
    );

  it("inTransaction keeps all of it", async () => {
    const project = await sampleProject(database.executor);
    await inTransaction(database.executor, async (transaction) => {
      await addItem(transaction, { project: project.key, title: "One", body: "", at: noon });
      await addItem(transaction, { project: project.key, title: "Two", body: "", at: noon });
    });
    const items = await listItems(database.executor, { project: project.key });
    expect(items.map(({ number }) => number)).toEqual([1, 2]);
  });

  it("inTransaction keeps nothing of what fails, and throws that very error", async () => {
    const project = await sampleProject(database.executor);
    const stop = new Error("stop here");
    const run = inTransaction(database.executor, async (transaction) => {
      await addItem(transaction, { project: project.key, title: "One", body: "", at: noon });
      throw stop;
    });
    expect(await failureOf(run)).toBe(stop);
    expect(await listItems(database.executor, { project: project.key })).toEqual([]);
  });

  it("inTransaction inside another one takes back its own part only", async () => {
    const project = await sampleProject(database.executor);
    await inTransaction(database.executor, async (outer) => {
      await addItem(outer, { project: project.key, title: "Kept", body: "", at: noon });
      const inner = inTransaction(outer, async (transaction) => {
        await addItem(transaction, { project: project.key, title: "Lost", body: "", at: noon });
        throw new Error("only this part");
      });
      expect(await failureOf(inner)).toBeInstanceOf(Error);
    });
    const items = await listItems(database.executor, { project: project.key });
    expect(items.map(({ title }) => title)).toEqual(["Kept"]);
  });

  it("violated names the constraint that was broken, and nothing else", async () => {
    const project = await sampleProject(database.executor);
    const { createdAt: _created, refreshedAt: _read, refreshError: _error, ...again } = project;
    const error = await failureOf(addProject(database.executor, { ...again, at: noon }));
    expect(violated(error)).toBe("projects_pkey");
    expect(isUnavailable(error)).toBe(false);
    const other = await failureOf(database.executor.execute(sql`select * from nowhere`));
    expect(violated(other)).toBeNull();
    expect(isUnavailable(other)).toBe(false);
    expect(violated(null)).toBeNull();
  });

  it("case E04 a connection that dies inside a transaction fails that one only, and none is lost from the pool", async () => {
    const project = await sampleProject(database.executor);
    for (let round = 0; round < 5; round += 1) {
      const run = inTransaction(database.executor, async (transaction) => {
        await addItem(transaction, { project: project.key, title: "Lost", body: "", at: noon });
        const { rows } = await transaction.execute<{ pid: number }>(
          sql`select pg_backend_pid() as pid`,
        );
        await query(cluster.url, "select pg_terminate_backend($1, 10000)", [rows[0]?.pid]);
        await addItem(transaction, { project: project.key, title: "Never", body: "", at: noon });
      });
      expect(isUnavailable(await failureOf(run))).toBe(true);
    }
    expect(await listItems(database.executor, { project: project.key })).toEqual([]);
  });

  it("case E04 a connection that breaks before its transaction begins is not lost from the pool", async () => {
    const project = await sampleProject(database.executor);
    const single = connect(cluster.url, { max: 1 });
    const { executor } = single;
    const pool = "$client" in executor ? executor.$client : null;
    if (!(pool instanceof Pool)) throw new Error("the executor has no pool");
    pool.once("acquire", (client) => void client.end());
    const add = () =>
      inTransaction(executor, (transaction) =>
        addItem(transaction, { project: project.key, title: "One", body: "", at: noon }),
      );
    expect(isUnavailable(await failureOf(add()))).toBe(true);
    expect(await add()).toMatchObject({ number: 1 });
    await single.close();
  });

  it("case E04 a restart of Postgres fails what ran, and the next query works again", async () => {
    const project = await sampleProject(database.executor);
    const waiting = failureOf(database.executor.execute(sql`select pg_sleep(60)`));
    const open = failureOf(
      inTransaction(database.executor, async (transaction) => {
        await addItem(transaction, { project: project.key, title: "Lost", body: "", at: noon });
        await cluster.stop();
        await addItem(transaction, { project: project.key, title: "Never", body: "", at: noon });
      }),
    );
    expect(isUnavailable(await waiting)).toBe(true);
    expect(isUnavailable(await open)).toBe(true);
    const down = await failureOf(findProject(database.executor, { key: project.key }));
    expect(isUnavailable(down)).toBe(true);
    await cluster.start();
    expect(await findProject(database.executor, { key: project.key })).toEqual(project);
    expect(await listItems(database.executor, { project: project.key })).toEqual([]);
  });
});
