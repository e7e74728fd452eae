import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../src/embedded/ports.js";
import { choosePorts } from "../../src/embedded/stable-ports.js";
import { temporaryFolder } from "./folder.js";

async function takenPort(): Promise<number> {
  const port = await freePort();
  const server = createServer();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return port;
}

describe("the ports of an instance", () => {
  it("are those of the last run while they are free, and others where they are taken", async () => {
    const file = join(await temporaryFolder(), "ports.json");
    const taken = await takenPort();
    const [http, postgres] = [await freePort(), await freePort()];
    await writeFile(file, JSON.stringify({ http, postgres, temporal: taken }));
    const ports = await choosePorts(file, undefined);
    expect(ports).toMatchObject({ http, postgres });
    expect(ports.temporal).not.toBe(taken);
    expect(new Set(Object.values(ports)).size).toBe(5);
  });

  it("a demanded port is taken or refused, never replaced", async () => {
    const file = join(await temporaryFolder(), "ports.json");
    const free = await freePort();
    expect((await choosePorts(file, free)).http).toBe(free);
    const taken = await takenPort();
    await expect(choosePorts(file, taken)).rejects.toMatchObject({
      refusals: [{ code: "port_in_use", seen: { port: String(taken) } }],
    });
  });

  it("a file that is no list of ports is no obstacle", async () => {
    const file = join(await temporaryFolder(), "ports.json");
    await writeFile(file, '{"http": "none", "postgres": 70000');
    const ports = await choosePorts(file, undefined);
    expect(Object.values(ports).every((port) => port > 0 && port < 65_536)).toBe(true);
  });
});
