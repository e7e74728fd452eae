/** GitHub's public description of REST, to hold answers to. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { Ajv } from "ajv";
import addFormats from "ajv-formats";

interface Operation {
  readonly responses: Record<string, { readonly $ref?: string; readonly content?: object }>;
}

interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
}

let loaded: { readonly ajv: Ajv; readonly description: Description } | null = null;

function load(): NonNullable<typeof loaded> {
  if (loaded !== null) return loaded;
  const require = createRequire(import.meta.url);
  // The package's index loads every variant; one file of it is enough.
  const path = require
    .resolve("@octokit/openapi/package.json")
    .replace("package.json", "generated/api.github.com.json");
  const description = nullsAllowed(JSON.parse(readFileSync(path, "utf8"))) as Description;
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  ajv.addSchema(description, "github");
  loaded = { ajv, description };
  return loaded;
}

/** `nullable` of OpenAPI 3.0, also beside an `enum` without null, as JSON Schema says it. */
function nullsAllowed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nullsAllowed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, nullsAllowed(inner)] as const);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  if (copy["nullable"] !== true) return copy;
  delete copy["nullable"];
  return { anyOf: [{ type: "null" }, copy] };
}

/**
 * What is wrong with an answer, in words; empty when the description allows it. `route` as in the request log,
 * `GET /repos/{owner}/{repo}`.
 */
export function problemsOf(route: string, status: number, body: unknown): string[] {
  // The description wants an account of this list to be a user and an enterprise at once; one by id may be either.
  if (route === "GET /app/installations" && Array.isArray(body))
    return body.flatMap((item) => problemsOf(`${route}/{installation_id}`, status, item));
  const { ajv, description } = load();
  const [method = "", path = ""] = route.split(" ");
  const response = description.paths[path]?.[method.toLowerCase()]?.responses[String(status)];
  if (response === undefined) return [`the description has no ${status} of ${route}`];
  if (response.$ref === undefined && response.content === undefined)
    return body === null ? [] : [`${status} of ${route} has no body`];
  const place =
    response.$ref?.slice(1) ??
    `/paths/${escape(path)}/${method.toLowerCase()}/responses/${String(status)}`;
  const validate = ajv.getSchema(`github#${place}/content/application~1json/schema`);
  if (validate === undefined) return [`no schema of ${status} of ${route}`];
  return validate(body) === true
    ? []
    : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message ?? ""}`);
}

function escape(path: string): string {
  return encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"));
}
