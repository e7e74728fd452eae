/** `yoke project add` and `yoke sessions register`: options that become one input. */
import { hostname } from "node:os";
import { resolve } from "node:path";
import { refuse } from "../../core/refusals.js";
import { askFunction } from "./ask.js";
import { refused } from "../call.js";
import { report } from "../print.js";

type Given = Readonly<Record<string, string | boolean | undefined>> & { readonly json?: boolean };

const file = (path: string | boolean | undefined) =>
  typeof path === "string" ? `file:${resolve(path)}` : undefined;

/** Where the credential is kept; the command never reads it. */
function credential(options: Given): Record<string, unknown> | null {
  const token = file(options["tokenFile"]);
  if (token !== undefined) return { kind: "token", token };
  if (options["tokenEnv"] !== undefined)
    return { kind: "token", token: `env:${String(options["tokenEnv"])}` };
  const privateKey = file(options["privateKeyFile"]);
  if (privateKey === undefined) return null;
  return {
    kind: "app",
    appId: Number(options["appId"]),
    installationId: Number(options["installationId"]),
    privateKey,
  };
}

export async function addProject(key: string, options: Given): Promise<void> {
  const given = credential(options);
  if (given === null) {
    const missing = refuse(
      "input_invalid",
      "No credential was named: give --token-file, --token-env, or an App with --private-key-file.",
    );
    report("project add", refused(missing), options, () => "");
    return;
  }
  await askFunction(
    "project add",
    "project.add",
    {
      key,
      repository: options["repo"],
      gateBranch: options["gateBranch"],
      apiUrl: options["apiUrl"],
      credential: given,
      webhookSecret: file(options["webhookSecretFile"]),
      requirement: options["requirement"],
      closeOut: options["closeOut"],
      deleteRemoteBranches: options["deleteRemoteBranches"] ?? false,
      upkeepSeconds: Number(options["upkeepSeconds"]),
    },
    options,
  );
}

interface SessionOptions {
  readonly json?: boolean;
  readonly project?: string;
  readonly harness?: string;
  readonly steering?: boolean;
  readonly wakeFile?: string;
  readonly wakeUrl?: string;
  readonly wakeSecretFile?: string;
  readonly wakeExec?: readonly string[];
}

function wakeRoute(options: SessionOptions): Record<string, unknown> {
  if (options.wakeFile !== undefined) return { kind: "file", path: resolve(options.wakeFile) };
  if (options.wakeExec !== undefined) return { kind: "exec", argv: options.wakeExec };
  if (options.wakeUrl !== undefined) {
    return { kind: "http", url: options.wakeUrl, secret: file(options.wakeSecretFile) ?? null };
  }
  return { kind: "operator" };
}

export async function registerSession(
  id: string | undefined,
  options: SessionOptions,
): Promise<void> {
  await askFunction(
    "sessions register",
    "sessions.register",
    {
      id,
      harness: options.harness,
      wakeRoute: wakeRoute(options),
      host: hostname(),
      project: options.project,
      steering: options.steering,
    },
    options,
  );
}
