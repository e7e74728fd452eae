import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { freshDatabase } from "../setup/database.js";
import { checkClosed, childProcesses } from "./index.js";

it("a connection and a child process that are left are seen; after their end nothing is", async () => {
  const database = await freshDatabase();
  const other = await freshDatabase();
  onTestFinished(() => Promise.all([database.drop(), other.drop()]).then(() => undefined));
  const left = { databaseUrl: database.url, before: await childProcesses() };
  const client = new Client({ connectionString: database.url, application_name: "left-open" });
  await client.connect();
  const child = spawn("cat", ["-"], { stdio: ["pipe", "ignore", "ignore"] });
  await expect(checkClosed(left)).rejects.toThrow(
    /a connection of "left-open" is open[^]*is running: cat -/,
  );
  await checkClosed({ ...left, databaseUrl: other.url, before: await childProcesses() });
  await client.end();
  child.stdin.end();
  await once(child, "close");
  await checkClosed(left);
});
