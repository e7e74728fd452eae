import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findTemporal } from "../../src/embedded/temporal-binary.js";
import { startTemporal, type RunningTemporal } from "../../src/embedded/temporal.js";
import { temporaryFolder } from "./folder.js";

const silent = (): void => undefined;
let binary = "";

beforeAll(async () => {
  binary = (await findTemporal({ log: silent })).path;
});

async function start(dataDir: string | null, log: string[] = []): Promise<RunningTemporal> {
  const temporal = await startTemporal({
    dataDir,
    binary,
    headless: true,
    namespace: "default",
    log: (line) => log.push(line),
  });
  onTestFinished(() => temporal.stop());
  return temporal;
}

async function withClient<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

/** Starts a workflow that nobody works on, so that it stays open. */
async function open(address: string): Promise<string> {
  const workflowId = `open-${randomUUID()}`;
  await withClient(address, (client) =>
    client.workflow.start("anything", { taskQueue: "nobody", workflowId }),
  );
  return workflowId;
}

async function stateOf(address: string, workflowId: string): Promise<string> {
  return withClient(address, async (client) => {
    return (await client.workflow.getHandle(workflowId).describe()).status.name;
  });
}

describe("the embedded Temporal", () => {
  it("on a file, a started workflow survives kill -9 of the server", async () => {
    const dataDir = await temporaryFolder();
    const first = await start(dataDir);
    const workflowId = await open(first.address);
    process.kill(first.pid, "SIGKILL");
    expect(await first.exited).toBe("SIGKILL");
    const second = await start(dataDir);
    expect(await stateOf(second.address, workflowId)).toBe("RUNNING");
  });

  it("a server that lost its owner is stopped before the next one opens the file", async () => {
    const dataDir = await temporaryFolder();
    const orphan = await start(dataDir);
    const workflowId = await open(orphan.address);
    const log: string[] = [];
    const next = await start(dataDir, log);
    await orphan.exited;
    expect(log).toEqual([`Stopping Temporal ${String(orphan.pid)}, which lost its owner`]);
    expect(await stateOf(next.address, workflowId)).toBe("RUNNING");
  });

  it("two servers in memory, each on its own port, know nothing of each other", async () => {
    const [one, two] = await Promise.all([start(null), start(null)]);
    const workflowId = await open(one.address);
    expect(await stateOf(one.address, workflowId)).toBe("RUNNING");
    await expect(stateOf(two.address, workflowId)).rejects.toThrow(/not found/i);
  });

  it("serves the web UI when asked to, and not when headless", async () => {
    const withUi = await startTemporal({
      dataDir: null,
      binary,
      headless: false,
      namespace: "default",
      log: silent,
    });
    onTestFinished(() => withUi.stop());
    expect((await fetch(String(withUi.uiUrl))).status).toBe(200);
    expect((await start(null)).uiUrl).toBeNull();
  });

  it("refuses a taken port, of the service and of the web UI", async () => {
    const folder = await temporaryFolder();
    const first = await start(join(folder, "one"));
    const options = { binary, namespace: "default", log: silent };
    const refusals = [{ code: "port_in_use", seen: { port: String(first.port) } }];
    await expect(
      startTemporal({
        ...options,
        dataDir: join(folder, "two"),
        port: first.port,
        headless: true,
      }),
    ).rejects.toMatchObject({ refusals });
    await expect(
      startTemporal({
        ...options,
        dataDir: join(folder, "three"),
        uiPort: first.port,
        headless: false,
      }),
    ).rejects.toMatchObject({ refusals });
  });
});
