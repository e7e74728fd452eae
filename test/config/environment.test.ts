import { inspect } from "node:util";
import { resolve } from "node:path";

import { describe, expect, it } from "vitest";

import {
  ENVIRONMENT_VARIABLES,
  readEnvironment,
  type Environment,
} from "../../src/config/environment.js";

type Variables = Record<string, string | undefined>;

function accepted(env: Variables): Environment {
  const read = readEnvironment(env);
  if (!read.ok) throw new Error(read.refusal.message);
  return read.environment;
}

function refusedLines(env: Variables): readonly string[] {
  const read = readEnvironment(env);
  if (read.ok) throw new Error("the environment was accepted");
  expect(read.refusal.code).toBe("configuration_invalid");
  return read.refusal.message.split("\n");
}

describe("the environment", () => {
  it("has defaults for everything; what is set to nothing is unset", () => {
    const nothing = Object.fromEntries(ENVIRONMENT_VARIABLES.map((name) => [name, " "]));
    for (const env of [{}, nothing]) {
      expect(accepted({ ...env, HOME: "/home/ada" })).toStrictEqual({
        databaseUrl: null,
        temporal: { address: null, namespace: "default", tls: null, apiKey: null },
        api: { url: null, token: null },
        dataDir: "/home/ada/.local/state/yoke",
        httpPort: null,
        httpHost: "127.0.0.1",
        taskQueue: "yoke",
        session: null,
        logLevel: "info",
      });
    }
  });

  it("is read in full", () => {
    const environment = accepted({
      DATABASE_URL: "postgresql://ada:hunter2@db:5432/yoke",
      TEMPORAL_ADDRESS: "yoke.a1b2.tmprl.cloud:7233",
      TEMPORAL_NAMESPACE: "yoke.a1b2",
      TEMPORAL_TLS_CERT: "/etc/yoke/client.pem",
      TEMPORAL_TLS_KEY: "client.key",
      TEMPORAL_API_KEY_FILE: "/run/secrets/temporal",
      YOKE_API_URL: "https://yoke.example.org/base/",
      YOKE_API_TOKEN: "token-in-the-environment",
      YOKE_DATA_DIR: "data",
      YOKE_HTTP_PORT: "8470",
      YOKE_TASK_QUEUE: "yoke-eu",
      YOKE_SESSION: "session-1",
      YOKE_LOG_LEVEL: "debug",
    });
    expect(environment.databaseUrl?.reveal()).toBe("postgresql://ada:hunter2@db:5432/yoke");
    expect(environment).toMatchObject({
      temporal: {
        address: "yoke.a1b2.tmprl.cloud:7233",
        namespace: "yoke.a1b2",
        tls: { cert: "/etc/yoke/client.pem", key: resolve("client.key") },
        apiKey: "file:/run/secrets/temporal",
      },
      api: { url: "https://yoke.example.org/base", token: "env:YOKE_API_TOKEN" },
      dataDir: resolve("data"),
      httpPort: 8470,
      httpHost: "127.0.0.1",
      taskQueue: "yoke-eu",
      session: "session-1",
      logLevel: "debug",
    });
    const printed = inspect(environment, { depth: 9 }) + JSON.stringify(environment);
    expect(printed).not.toContain("hunter2");
    expect(printed).not.toContain("token-in-the-environment");
  });

  it("accepts the spellings of addresses that people use", () => {
    for (const address of ["127.0.0.1:7233", "[::1]:7233", "temporal:7233"]) {
      expect(accepted({ TEMPORAL_ADDRESS: address }).temporal.address).toBe(address);
    }
    for (const url of ["postgres://h/d", "postgresql:///yoke?host=/run/postgresql"]) {
      expect(accepted({ DATABASE_URL: url }).databaseUrl?.reveal()).toBe(url);
    }
  });
});

describe("a wrong environment", () => {
  const wrong: readonly (readonly [Variables, string])[] = [
    [{ DATABASE_URL: "mysql://db/yoke" }, "DATABASE_URL is not a Postgres URL"],
    [{ TEMPORAL_ADDRESS: "https://temporal:7233" }, "TEMPORAL_ADDRESS is not host:port"],
    [{ TEMPORAL_ADDRESS: "temporal" }, "TEMPORAL_ADDRESS is not host:port"],
    [{ TEMPORAL_ADDRESS: "temporal:70000" }, "TEMPORAL_ADDRESS is not host:port"],
    [{ TEMPORAL_NAMESPACE: "two words" }, "TEMPORAL_NAMESPACE is not a namespace"],
    [{ TEMPORAL_TLS_CERT: "/c.pem" }, "TEMPORAL_TLS_KEY is not set, but TEMPORAL_TLS_CERT is"],
    [{ TEMPORAL_TLS_KEY: "/c.key" }, "TEMPORAL_TLS_CERT is not set, but TEMPORAL_TLS_KEY is"],
    [
      { TEMPORAL_API_KEY: "k", TEMPORAL_API_KEY_FILE: "/k" },
      "TEMPORAL_API_KEY and TEMPORAL_API_KEY_FILE are both set",
    ],
    [
      { YOKE_API_TOKEN: "t", YOKE_API_TOKEN_FILE: "/t" },
      "YOKE_API_TOKEN and YOKE_API_TOKEN_FILE are both set",
    ],
    [{ YOKE_API_URL: "ftp://host" }, "YOKE_API_URL is not an http or https URL"],
    [{ YOKE_API_URL: "https://me:hunter2@host" }, "YOKE_API_URL is not an http or https URL"],
    [{ YOKE_HTTP_PORT: "http" }, "YOKE_HTTP_PORT is not a port number"],
    [{ YOKE_HTTP_PORT: "0" }, "YOKE_HTTP_PORT is not between 1 and 65535"],
    [{ YOKE_TASK_QUEUE: "a b" }, "YOKE_TASK_QUEUE is not a task queue"],
    [{ YOKE_SESSION: "a\u0000b" }, "YOKE_SESSION is not a session id"],
    [{ YOKE_LOG_LEVEL: "loud" }, "YOKE_LOG_LEVEL is not one of trace, debug, info"],
  ];
  for (const [env, said] of wrong) {
    it(`says: ${said}`, () => {
      const lines = refusedLines(env);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(said);
    });
  }

  it("names all of them together, with no secret in it", () => {
    const lines = refusedLines({
      DATABASE_URL: "hunter2",
      YOKE_API_URL: "https://me:hunter2@host",
      YOKE_HTTP_PORT: "99999",
      YOKE_API_TOKEN: "hunter2",
      YOKE_API_TOKEN_FILE: "/t",
    });
    expect(lines.map((text) => text.split(" ")[0])).toEqual([
      "DATABASE_URL",
      "YOKE_API_URL",
      "YOKE_HTTP_PORT",
      "YOKE_API_TOKEN",
    ]);
    expect(lines.join("\n")).not.toContain("hunter2");
  });
});
