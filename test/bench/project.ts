/** A project on the simulated GitHub whose holder is woken over HTTP, with its clock running when a notice comes. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { RepositoryAdmin } from "../../src/simulator/wire/admin-client.js";
import type { JobScript } from "../../src/simulator/world/model.js";
import type { Instance } from "./instance.js";

export interface BenchProject {
  readonly key: string;
  readonly repository: RepositoryAdmin;
  /** Path of the holder's session. */
  readonly session: string;
  /** Notices as they came: key to the milliseconds of each arrival. */
  readonly notices: ReadonlyMap<string, readonly number[]>;
  /** Subscribes the server to the repository's events. */
  subscribe(): Promise<void>;
  close(): Promise<void>;
}

/** Jobs of the pull requests' own check and of the group's; both are the required check `ci`. */
export interface Checks {
  readonly head: JobScript;
  readonly group: JobScript;
}

export const instant: JobScript = { name: "ci", outcome: "pass", duration: 0 };
export const held: JobScript = { name: "ci", outcome: "hold", duration: 0 };

export async function addProject(
  instance: Instance,
  key: string,
  checks: Checks,
): Promise<BenchProject> {
  const { github, home, services } = instance;
  const name = key.toLowerCase();
  const repository = await github.createRepository({
    owner: "acme",
    name,
    files: { "README.md": `${name}\n` },
  });
  await repository.setWorkflows([
    { name: "Head", path: ".github/workflows/head.yml", on: ["pull_request"], jobs: [checks.head] },
    {
      name: "Group",
      path: ".github/workflows/group.yml",
      on: ["merge_group"],
      jobs: [checks.group],
    },
  ]);
  await repository.setRuleset({
    name: "main",
    mergeQueue: {},
    requiredStatusChecks: { checks: [{ context: "ci", integrationId: null }] },
  });
  const tokenFile = join(home, `${key}-token`);
  const secretFile = join(home, `${key}-secret`);
  const secret = randomBytes(16).toString("hex");
  await writeFile(tokenFile, await github.createToken("robin"), { mode: 0o600 });
  await writeFile(secretFile, secret, { mode: 0o600 });
  const { webhook } = await instance.must<{ webhook: { path: string } }>("project.add", {
    key,
    repository: `acme/${name}`,
    apiUrl: `${services.simulatorUrl ?? ""}/api/v3`,
    credential: { kind: "token", token: `file:${tokenFile}` },
    webhookSecret: `file:${secretFile}`,
    requirement: "npm test",
    // Passes come from webhooks, and from whoever asks for one.
    upkeepSeconds: 3600,
  });
  const { notices, url, close } = await mailbox();
  const session = `holder-of-${name}`;
  await instance.must("sessions.register", {
    id: session,
    host: "bench",
    project: key,
    wakeRoute: { kind: "http", url },
  });
  return {
    key,
    repository,
    session,
    notices,
    close,
    subscribe: async () => {
      await repository.createHook({ url: `${services.apiUrl}${webhook.path}`, secret });
    },
  };
}

/** Takes notices in as a harness does, by their idempotency key. */
async function mailbox() {
  const notices = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const key = String(request.headers["idempotency-key"]);
    notices.set(key, [...(notices.get(key) ?? []), Date.now()]);
    request.resume();
    request.once("end", () => response.writeHead(204).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    notices,
    url: `http://127.0.0.1:${String(port)}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
