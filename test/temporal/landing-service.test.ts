import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { temporalClient } from "../../src/temporal/connect.js";
import { landingService } from "../../src/temporal/landing-service.js";
import type { Project } from "../../src/core/records.js";

const project: Project = {
  key: "SHOP",
  owner: "acme",
  name: "shop",
  repositoryId: 1,
  apiUrl: "https://api.github.example",
  gateBranch: "main",
  closeOut: "ancestry",
  deleteRemoteBranches: false,
  credential: { kind: "token", token: "env:NOT_READ" },
  connection: "hook",
  webhookSecret: null,
  requirementDigest: "digest",
  requirement: "npm test",
  upkeepSeconds: 60,
  refreshError: null,
  refreshedAt: null,
  createdAt: "2026-03-01T12:00:00.000Z",
};

/** A port that takes connections and never says a word. */
async function silentPort(): Promise<number> {
  const server = createServer((socket) => socket.on("error", () => undefined).resume());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it("every call to a Temporal that does not answer ends by itself, with its refusal", async () => {
  const address = `127.0.0.1:${String(await silentPort())}`;
  const temporal = temporalClient({ address, namespace: "default", tls: null, apiKey: null });
  const landings = landingService(temporal.client, "yoke");
  const refused = { refusals: [{ code: "temporal_unavailable" }] };
  const began = performance.now();
  await Promise.all([
    expect(landings.touch(project.key, [1])).rejects.toMatchObject(refused),
    expect(landings.pollers(["host"])).rejects.toMatchObject(refused),
    expect(landings.ensureUpkeep(project)).rejects.toMatchObject(refused),
  ]);
  expect(performance.now() - began).toBeLessThan(15_000);
});
