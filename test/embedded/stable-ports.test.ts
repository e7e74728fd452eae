import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../src/embedded/ports.js";
import { portTaken } from "../../src/embedded/port-taken.js";
import { choosePorts, type PortName } from "../../src/embedded/stable-ports.js";
import { temporaryFolder } from "./folder.js";

const names: readonly PortName[] = ["http", "temporal", "temporalUi", "postgres", "simulator"];

/** A service that finds its port taken says so, as ours do. */
async function startOn(port: number): Promise<number> {
  const taken = await portTaken(port);
  if (taken !== null) throw taken;
  return port;
}

async function take(port: number): Promise<void> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
}

async function takenPort(): Promise<number> {
  const port = await freePort();
  await take(port);
  return port;
}

describe("the ports of an instance", () => {
  it("are those of the last run while they are free, and others where they are taken", async () => {
    const file = join(await temporaryFolder(), "ports.json");
    const taken = await takenPort();
    const [http, postgres] = [await freePort(), await freePort()];
    await writeFile(file, JSON.stringify({ http, postgres, temporal: taken }));
    const ports = await choosePorts(file, undefined);
    expect([ports.of("http"), ports.of("postgres")]).toEqual([http, postgres]);
    expect(ports.of("temporal")).not.toBe(taken);
    expect(new Set(names.map((name) => ports.of(name))).size).toBe(5);
  });

  it("a demanded port is taken or refused, never replaced", async () => {
    const file = join(await temporaryFolder(), "ports.json");
    const free = await freePort();
    expect((await choosePorts(file, free)).of("http")).toBe(free);
    const taken = await takenPort();
    await expect(choosePorts(file, taken)).rejects.toMatchObject({
      refusals: [{ code: "port_in_use", seen: { port: String(taken) } }],
    });
  });

  it("one that somebody takes between the look and the start is chosen anew, and remembered", async () => {
    const file = join(await temporaryFolder(), "ports.json");
    const ports = await choosePorts(file, undefined);
    const first = ports.of("postgres");
    let starts = 0;
    const started = await ports.starting(["postgres"], async () => {
      starts += 1;
      if (starts === 1) await take(ports.of("postgres"));
      return startOn(ports.of("postgres"));
    });
    expect(starts).toBe(2);
    expect(started).not.toBe(first);
    expect(ports.of("postgres")).toBe(started);
    expect((await choosePorts(file, undefined)).of("postgres")).toBe(started);
  });

  it("a demanded one that somebody takes first is refused, and any other failure is no reason to choose anew", async () => {
    const file = join(await temporaryFolder(), "ports.json");
    const ports = await choosePorts(file, await freePort());
    const startHttp = async () => {
      await take(ports.of("http"));
      return startOn(ports.of("http"));
    };
    await expect(ports.starting(["http"], startHttp)).rejects.toMatchObject({
      refusals: [{ code: "port_in_use", next: expect.stringContaining("another port") }],
    });
    let starts = 0;
    const broken = () => {
      starts += 1;
      return Promise.reject(new Error("no space left"));
    };
    await expect(ports.starting(["postgres"], broken)).rejects.toThrow("no space left");
    expect(starts).toBe(1);
  });

  it("a start that is beaten to every port gives up", async () => {
    const ports = await choosePorts(join(await temporaryFolder(), "ports.json"), undefined);
    const always = async () => {
      await take(ports.of("postgres"));
      return startOn(ports.of("postgres"));
    };
    await expect(ports.starting(["postgres"], always)).rejects.toMatchObject({
      refusals: [{ code: "port_in_use" }],
    });
  });

  it("a file that is no list of ports is no obstacle", async () => {
    const file = join(await temporaryFolder(), "ports.json");
    await writeFile(file, '{"http": "none", "postgres": 70000');
    const ports = await choosePorts(file, undefined);
    expect(names.map((name) => ports.of(name)).every((port) => port > 0 && port < 65_536)).toBe(
      true,
    );
  });
});
