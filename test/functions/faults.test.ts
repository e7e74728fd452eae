import { describe, expect, it } from "vitest";
import { connect } from "../../db/client.js";
import { dispatch } from "../../src/functions/dispatch.js";
import { outsideRefusal } from "../../src/functions/faults.js";
import { freshDatabase } from "../setup/database.js";
import { query } from "../db/cluster.js";
import { benchOn, codes } from "./bench.js";

describe("what breaks outside", () => {
  async function listing(url: string): Promise<readonly string[]> {
    const connection = connect(url);
    const outcome = await dispatch(benchOn(connection).context, "project.list", {});
    await connection.close();
    return outcome.ok ? [] : codes(outcome.refusals);
  }

  it("a database that is not there, or does not let us in, is database_unavailable", async () => {
    const database = await freshDatabase();
    expect(await listing(database.url)).toEqual([]);
    const nowhere = Object.assign(new URL(database.url), { pathname: "/no_such_database" });
    expect(await listing(nowhere.href)).toEqual(["database_unavailable"]);
    const nobody = Object.assign(new URL(database.url), { username: "nobody", password: "x" });
    expect(await listing(nobody.href)).toEqual(["database_unavailable"]);
    await database.drop();
  });

  it("a database without our tables is database_schema_differs", async () => {
    const database = await freshDatabase();
    await query(database.url, "drop schema public cascade");
    expect(await listing(database.url)).toEqual(["database_schema_differs"]);
    await database.drop();
  });

  it("a Temporal server that the client lost is temporal_unavailable; any other error is nobody's", () => {
    const lost = Object.assign(new Error("14 UNAVAILABLE"), { code: 14, details: "no connection" });
    const wrapped = new Error("failed to signal", { cause: lost });
    expect(outsideRefusal(wrapped)?.code).toBe("temporal_unavailable");
    expect(outsideRefusal(new Error("something else"))).toBeNull();
    const circle = new Error("round");
    circle.cause = circle;
    expect(outsideRefusal(circle)).toBeNull();
  });
});
