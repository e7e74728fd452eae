/** A database for one test, with the schema in it and nothing else. */
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import type { DatabaseService } from "./answers.js";
import { ask } from "./ask.js";

export interface TestDatabase {
  readonly url: string;
  /** Drops it, and cuts the connections that are still open. */
  drop(): Promise<void>;
}

/** In the Postgres of this test run, unless another one is named. */
export async function freshDatabase(service?: DatabaseService): Promise<TestDatabase> {
  const { templateUrl } = service ?? (await ask<DatabaseService>("database"));
  const template = new URL(templateUrl);
  const name = `test_${randomBytes(8).toString("hex")}`;
  await administer(template, `create database ${name} template ${template.pathname.slice(1)}`);
  return {
    url: withDatabase(template, name),
    drop: () => administer(template, `drop database if exists ${name} with (force)`),
  };
}

async function administer(template: URL, statement: string): Promise<void> {
  const client = new Client({ connectionString: withDatabase(template, "postgres") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(template: URL, name: string): string {
  const url = new URL(template);
  url.pathname = `/${name}`;
  return url.href;
}
