import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { freshDatabase } from "../setup/database.js";
import { checkClosed } from "./index.js";

it("a connection and a child process that are left are seen; after their end nothing is", async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const left = { databaseUrl: database.url };
  const client = new Client({ connectionString: database.url, application_name: "left-open" });
  await client.connect();
  const child = spawn("cat", ["-"], { stdio: ["pipe", "ignore", "ignore"] });
  await expect(checkClosed(left)).rejects.toThrow(
    /a connection of "left-open" is open[^]*is running: cat -/,
  );
  await client.end();
  child.stdin.end();
  await once(child, "close");
  await checkClosed(left);
});
