/**
 * The environment variables yoke reads, validated once. Secrets are named, not read: `readSecret`
 * reads them at the moment they are needed. Loads zod, so nothing on the way to `--help` imports it.
 */
import { resolve } from "node:path";

import { z } from "zod";

import { taskQueue } from "../../workflows/names.js";
import type { SecretRef } from "../core/records.js";
import { refuse, type Refusal } from "../core/refusals.js";
import { statePath } from "./paths.js";
import { Secret } from "./secret.js";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Environment {
  /** A Postgres URL; it may hold a password. */
  readonly databaseUrl: Secret | null;
  readonly temporal: {
    /** `host:port`. */
    readonly address: string | null;
    readonly namespace: string;
    /** Absolute paths of the client certificate and its key, for mTLS. */
    readonly tls: { readonly cert: string; readonly key: string } | null;
    readonly apiKey: SecretRef | null;
  };
  readonly api: {
    /** Without a slash at the end. */
    readonly url: string | null;
    readonly token: SecretRef | null;
  };
  /** Absolute. */
  readonly dataDir: string;
  /** Null leaves the choice to whoever listens. */
  readonly httpPort: number | null;
  /** Address the server listens on: this machine alone, unless told otherwise. */
  readonly httpHost: string;
  readonly taskQueue: string;
  /** Session that asks; null for a person without one. */
  readonly session: string | null;
  readonly logLevel: LogLevel;
}

export type EnvironmentRead =
  | { readonly ok: true; readonly environment: Environment }
  /** `configuration_invalid`; the message has one line for each wrong variable, never a secret. */
  | { readonly ok: false; readonly refusal: Refusal };

/** No white space and no control characters, so that a name stays one word wherever it is shown. */
const word = (what: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, `is not ${what}: one word of up to 200 ASCII characters`);

const path = z.string().transform((value) => resolve(value));

const variables = z.object({
  DATABASE_URL: z
    .string()
    .refine((value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value), {
      error: "is not a Postgres URL such as postgresql://user@host:5432/yoke",
    })
    .transform((value) => new Secret(value))
    .optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .refine(isHostAndPort, { error: "is not host:port, such as 127.0.0.1:7233 (no scheme)" })
    .optional(),
  TEMPORAL_NAMESPACE: word("a namespace").default("default"),
  TEMPORAL_TLS_CERT: path.optional(),
  TEMPORAL_TLS_KEY: path.optional(),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_API_KEY_FILE: path.optional(),
  YOKE_API_URL: z
    .string()
    .refine(isPlainHttpUrl, {
      error:
        "is not an http or https URL such as https://yoke.example.org (no user, no query; the token goes in YOKE_API_TOKEN_FILE)",
    })
    .transform((value) => value.replace(/\/+$/, ""))
    .optional(),
  YOKE_API_TOKEN: z.string().optional(),
  YOKE_API_TOKEN_FILE: path.optional(),
  YOKE_DATA_DIR: path.optional(),
  YOKE_HTTP_PORT: z
    .string()
    .regex(/^\d{1,5}$/, "is not a port number")
    .transform(Number)
    .refine((port) => port >= 1 && port <= 65_535, { error: "is not between 1 and 65535" })
    .optional(),
  YOKE_HTTP_HOST: word("an address to listen on").default("127.0.0.1"),
  YOKE_TASK_QUEUE: word("a task queue").default(taskQueue.main),
  YOKE_SESSION: word("a session id").optional(),
  YOKE_LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `is not one of ${LOG_LEVELS.join(", ")}` })
    .default("info"),
});

export type EnvironmentVariable = keyof typeof variables.shape;

/** Every variable `readEnvironment` looks at, for `yoke doctor` and the docs. */
export const ENVIRONMENT_VARIABLES = Object.keys(variables.shape) as EnvironmentVariable[];

/** Two variables that say the same thing in two ways, and two that are nothing without each other. */
const EITHER = [
  ["TEMPORAL_API_KEY", "TEMPORAL_API_KEY_FILE"],
  ["YOKE_API_TOKEN", "YOKE_API_TOKEN_FILE"],
] as const;
const TOGETHER = [["TEMPORAL_TLS_CERT", "TEMPORAL_TLS_KEY"]] as const;

/** Reads and checks the environment. A variable that is set to nothing counts as unset. */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): EnvironmentRead {
  const given: Record<string, string> = {};
  for (const name of ENVIRONMENT_VARIABLES) {
    const value = env[name]?.trim();
    if (value !== undefined && value !== "") given[name] = value;
  }
  const parsed = variables.safeParse(given);
  const problems = [...(parsed.error?.issues ?? []).map(problem), ...combinations(given)];
  if (!parsed.success || problems.length > 0) {
    const seen = { variables: [...new Set(problems.map(({ name }) => name))].join(" ") };
    const message = problems.map(({ name, what }) => `${name} ${what}.`).join("\n");
    return { ok: false, refusal: refuse("configuration_invalid", message, seen) };
  }
  return { ok: true, environment: shape(parsed.data, env) };
}

interface Problem {
  readonly name: string;
  readonly what: string;
}

function problem({ path: [name], message }: z.core.$ZodIssue): Problem {
  return { name: String(name), what: message };
}

function combinations(given: Readonly<Record<string, string>>): readonly Problem[] {
  const problems: Problem[] = [];
  for (const [one, other] of EITHER) {
    if (one in given && other in given) {
      problems.push({ name: one, what: `and ${other} are both set: unset one of them` });
    }
  }
  for (const [one, other] of TOGETHER) {
    for (const [set, missing] of [
      [one, other],
      [other, one],
    ] as const) {
      if (set in given && !(missing in given)) {
        problems.push({ name: missing, what: `is not set, but ${set} is: set both or neither` });
      }
    }
  }
  return problems;
}

function shape(
  read: z.output<typeof variables>,
  env: Readonly<Record<string, string | undefined>>,
): Environment {
  const { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key } = read;
  return {
    databaseUrl: read.DATABASE_URL ?? null,
    temporal: {
      address: read.TEMPORAL_ADDRESS ?? null,
      namespace: read.TEMPORAL_NAMESPACE,
      tls: cert === undefined || key === undefined ? null : { cert, key },
      apiKey: secretRef("TEMPORAL_API_KEY", read.TEMPORAL_API_KEY, read.TEMPORAL_API_KEY_FILE),
    },
    api: {
      url: read.YOKE_API_URL ?? null,
      token: secretRef("YOKE_API_TOKEN", read.YOKE_API_TOKEN, read.YOKE_API_TOKEN_FILE),
    },
    dataDir: read.YOKE_DATA_DIR ?? statePath(env),
    httpPort: read.YOKE_HTTP_PORT ?? null,
    httpHost: read.YOKE_HTTP_HOST,
    taskQueue: read.YOKE_TASK_QUEUE,
    session: read.YOKE_SESSION ?? null,
    logLevel: read.YOKE_LOG_LEVEL,
  };
}

function secretRef(
  name: string,
  value: string | undefined,
  file: string | undefined,
): SecretRef | null {
  if (value !== undefined) return `env:${name}`;
  return file === undefined ? null : `file:${file}`;
}

function isHostAndPort(value: string): boolean {
  const match = /^(?:\[[0-9a-f:]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(value);
  const port = Number(match?.[1] ?? 0);
  return port >= 1 && port <= 65_535;
}

function isPlainHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  const extras = username + password + search + hash;
  return (protocol === "http:" || protocol === "https:") && extras === "";
}
