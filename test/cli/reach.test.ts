/** What the command says when no server, or no server of yoke, answers it. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { yokeCommand } from "./command.js";
import { answered, serving } from "./landing.js";

const list = ["project", "list"];

/** Answers everything with `status` and a page, as a proxy does; closed after `use`. */
async function behindProxy<T>(status: number, use: (url: string) => Promise<T>): Promise<T> {
  const proxy = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "text/html" }).end("<h1>no</h1>");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  try {
    return await use(`http://127.0.0.1:${String(address.port)}`);
  } finally {
    await new Promise((resolve) => proxy.close(resolve));
  }
}

describe("reaching the server", () => {
  it("without a running instance names the remedy", async () => {
    const { code, stderr, stdout } = await yokeCommand(list);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^service_unreachable: .*\n {2}Next: .*yoke up/);
  });

  it("a refused connection is service_unreachable, as a document too", async () => {
    const { server } = await serving({});
    await server.close();
    const env = { YOKE_API_URL: server.url, YOKE_API_TOKEN: "a-token" };
    const { code, stdout } = await yokeCommand([...list, "--json"], env);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: "yoke.project.list/1",
      ok: false,
      exit: 1,
      refusals: [{ code: "service_unreachable" }],
    });
  });

  it.each([
    { status: 401, code: 2, refusal: "unauthorized" },
    { status: 502, code: 1, refusal: "service_unreachable" },
  ])("a page with status $status is $refusal", async ({ status, code, refusal }) => {
    const ran = await behindProxy(status, (url) =>
      yokeCommand(list, { YOKE_API_URL: url, YOKE_API_TOKEN: "a-token" }),
    );
    expect(ran.code).toBe(code);
    expect(ran.stderr).toMatch(new RegExp(`^${refusal}: .*${String(status)}`));
  });

  it("reads address and token of the instance on the data folder, and names the session", async () => {
    const { server } = await serving({ "project.list": [answered(0, { projects: [] })] });
    const folder = mkdtempSync(join(tmpdir(), "yoke-data-"));
    const tokenFile = join(folder, "api-token");
    writeFileSync(tokenFile, "of-the-file\n");
    chmodSync(tokenFile, 0o600);
    const services = { schema: "yoke.services/1", apiUrl: server.url, tokenFile };
    writeFileSync(join(folder, "services.json"), JSON.stringify(services));
    const env = { YOKE_DATA_DIR: folder, YOKE_SESSION: "builder-1" };
    expect(await yokeCommand(list, env)).toMatchObject({ code: 0, stderr: "" });
    expect(server.asked).toMatchObject([
      { authorization: "Bearer of-the-file", session: "builder-1" },
    ]);
  });

  it("a token file that is not there is credential_missing, and nothing is sent", async () => {
    const { server } = await serving({});
    const env = { YOKE_API_URL: server.url, YOKE_API_TOKEN_FILE: "/nonexistent/token" };
    const { code, stderr } = await yokeCommand(list, env);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^credential_missing: .*\n {2}Next: /);
    expect(server.asked).toEqual([]);
  });

  it("refuses a port that is none, and a credential that was not named, with exit 4", async () => {
    const port = await yokeCommand(["up", "--port", "tea"]);
    expect(port.code).toBe(4);
    expect(port.stderr).toMatch(/^input_invalid: --port: tea/);
    const args = ["project", "add", "SHOP", "--repo", "a/b", "--requirement", "npm test", "--json"];
    const project = await yokeCommand(args);
    expect(project.code).toBe(4);
    expect(JSON.parse(project.stdout)).toMatchObject({ refusals: [{ code: "input_invalid" }] });
  });
});
