import { readdirSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../db/client.js";
import { addItem, listItems } from "../../db/items.js";
import { migrate, SchemaDiffers } from "../../db/migrate.js";
import { query, startCluster, type Cluster } from "./cluster.js";
import { noon, sampleProject } from "./sample.js";

const shipped = fileURLToPath(new URL("../../db/migrations", import.meta.url));
const names = readdirSync(shipped)
  .filter((name) => name.endsWith(".sql"))
  .toSorted();

interface Applied {
  readonly name: string;
  readonly sha256: string;
}

describe("migrate", () => {
  let cluster: Cluster;
  let scratch: string;
  let made = 0;

  beforeAll(async () => {
    cluster = await startCluster();
    scratch = await mkdtemp(join(tmpdir(), "yoke-migrations-"));
  });
  afterAll(async () => {
    await cluster.remove();
    await rm(scratch, { recursive: true, force: true });
  });

  function emptyDatabase(): Promise<string> {
    made += 1;
    return cluster.createDatabase(`empty_${String(made)}`);
  }

  async function folderWith(files: Record<string, string>): Promise<string> {
    made += 1;
    const folder = join(scratch, String(made));
    await cp(shipped, folder, { recursive: true });
    for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
    return folder;
  }

  const recorded = (url: string): Promise<Applied[]> =>
    query<Applied>(url, "select name, sha256 from yoke_migrations order by name");

  it("applies each file once when twenty starters come at once", async () => {
    const url = await emptyDatabase();
    const answers = await Promise.all(Array.from({ length: 20 }, () => migrate(url)));
    expect(answers.flatMap(({ applied }) => applied)).toEqual(names);
    expect(await recorded(url)).toMatchObject(names.map((name) => ({ name })));
  });

  it("applies a later file to a filled database and keeps its rows", async () => {
    const url = await emptyDatabase();
    await migrate(url);
    const database = connect(url);
    const project = await sampleProject(database.executor);
    await addItem(database.executor, { project: project.key, title: "One", body: "", at: noon });
    const folder = await folderWith({
      "0900_late.sql": "alter table items add column late text not null default 'no';",
    });
    expect(await migrate(url, { folder })).toEqual({ applied: ["0900_late.sql"] });
    expect(await query(url, "select title, late from items")).toEqual([
      { title: "One", late: "no" },
    ]);
    expect(await listItems(database.executor, { project: project.key })).toHaveLength(1);
    await database.close();
  });

  it("applies a file whose name comes before one that was applied", async () => {
    const url = await emptyDatabase();
    await migrate(url, { folder: await folderWith({ "0990_after.sql": "select 1;" }) });
    const folder = await folderWith({
      "0990_after.sql": "select 1;",
      "0950_merged_late.sql": "create table merged_late ();",
    });
    expect(await migrate(url, { folder })).toEqual({ applied: ["0950_merged_late.sql"] });
  });

  it("refuses when an applied file was changed, and applies nothing", async () => {
    const url = await emptyDatabase();
    await migrate(url);
    const folder = await folderWith({
      "0001_guards.sql": "select 1;",
      "0900_next.sql": "create table next ();",
    });
    const failure: unknown = await migrate(url, { folder }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SchemaDiffers);
    expect(failure).toMatchObject({
      differences: [{ name: "0001_guards.sql", why: "changed" }],
    });
    expect(await recorded(url)).toHaveLength(names.length);
    expect(await migrate(url)).toEqual({ applied: [] });
  });

  it("refuses a database that a newer version migrated", async () => {
    const url = await emptyDatabase();
    await migrate(url, { folder: await folderWith({ "0900_newer.sql": "select 1;" }) });
    await expect(migrate(url)).rejects.toMatchObject({
      differences: [{ name: "0900_newer.sql", why: "unknown" }],
    });
  });

  it("names a file that fails, keeps none of it, and goes on once it is right", async () => {
    const url = await emptyDatabase();
    const wrong = await folderWith({
      "0900_half.sql": "create table half (); select * from nowhere;",
    });
    await expect(migrate(url, { folder: wrong })).rejects.toThrow(
      'migration 0900_half.sql: relation "nowhere" does not exist',
    );
    expect(await recorded(url)).toMatchObject(names.map((name) => ({ name })));
    const right = await folderWith({ "0900_half.sql": "create table half ();" });
    expect(await migrate(url, { folder: right })).toEqual({ applied: ["0900_half.sql"] });
  });
});
